#!/bin/sh
# Lays out the container's file system in the given folder: the program, its health probe, a folder
# for the index and one for temporary files. Run scripts/build.sh first.
set -eu
cd "$(dirname "$0")/.."
: "${1:?name the folder to lay the image out in}"

mkdir -p "$1/data" "$1/tmp"
chmod 1777 "$1/tmp"
cp bin/varve "$1/varve"
CGO_ENABLED=0 go build -C tools -trimpath -buildvcs=false -ldflags "-s -w" -o "$1/health" ./health
