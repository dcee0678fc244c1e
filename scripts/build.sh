#!/bin/sh
# Builds bin/varve: the client-side runtime first, then the program that embeds it.
# make build and the Dockerfile both run this. CLIENT=no leaves the runtime out; RELEASE names the
# version where there is no git to ask.
set -eu
cd "$(dirname "$0")/.."

if [ "${CLIENT:-yes}" != no ]; then
	scripts/client.sh
fi

# A checkout that git won't answer for (an archive, another user's folder) builds all the same.
vcs=false
if git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
	vcs=true
	: "${RELEASE:=$(git describe --tags --always --dirty)}"
fi

go build -trimpath -buildvcs=$vcs -ldflags "-X main.release=${RELEASE:-}" -o bin/varve ./cmd/varve
bin/varve version
