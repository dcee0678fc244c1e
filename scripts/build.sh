#!/bin/sh
# Builds bin/varve: the client-side runtime first, then the program that embeds it.
# make build and the Dockerfile both run this. CLIENT=no leaves the runtime out.
set -eu
cd "$(dirname "$0")/.."

if [ "${CLIENT:-yes}" != no ]; then
	scripts/client.sh
fi

go build -trimpath -buildvcs=false -ldflags "$(scripts/ldflags.sh)" -o bin/varve ./cmd/varve
bin/varve version
