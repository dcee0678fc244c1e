#!/bin/bash
# Fails if a release depends on where or when it is built: builds the last commit twice, in two folders, the second time without
# any cache of the first, and compares the checksums. TARGETS as for release.sh, by default one system.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/client.sh
export TARGETS=${TARGETS:-linux/amd64}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # FOLDER
	git clone --quiet . "$work/$1"
	cp static/dist/*.js "$work/$1/static/dist/"
	"$work/$1/scripts/release.sh"
}

build one
GOCACHE=$work/cache build another/place
if ! diff "$work/one/dist/SHA256SUMS" "$work/another/place/dist/SHA256SUMS"; then
	echo "varve: two builds of one commit differ" >&2
	exit 1
fi
echo "varve: two builds of one commit are the same:"
cat "$work/one/dist/SHA256SUMS"
