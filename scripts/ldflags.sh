#!/bin/sh
# Prints the linker's flags for a binary of varve: no symbol table, no debugging data, and which version it is. That is what
# git says, from the last tag on (a checkout without tags: the commit). RELEASE and COMMIT say it where there is no git to ask, or
# none that answers (an archive, another user's folder); without them the binary says devel and unknown.
set -eu
cd "$(dirname "$0")/.."

if git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
	: "${RELEASE:=$(git describe --tags --match 'v[0-9]*' --always --dirty)}"
	: "${COMMIT:=$(git rev-parse HEAD)}"
fi
echo "-s -w -X main.release=${RELEASE:-} -X main.revision=${COMMIT:-}"
