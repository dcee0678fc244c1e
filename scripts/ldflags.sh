#!/bin/sh
# Prints the linker flags for a varve binary: no symbol table, no debugging data, and the version. git describes the version,
# starting from the last tag (without tags: by the commit). Where git is missing or doesn't answer (an unpacked archive, another
# user's folder), RELEASE and COMMIT set it; without them the binary says devel and unknown.
set -eu
cd "$(dirname "$0")/.."

if git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
	: "${RELEASE:=$(git describe --tags --match 'v[0-9]*' --always --dirty)}"
	: "${COMMIT:=$(git rev-parse HEAD)}"
fi
echo "-s -w -X main.release=${RELEASE:-} -X main.revision=${COMMIT:-}"
