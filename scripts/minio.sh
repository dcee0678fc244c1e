#!/bin/sh
# Builds the object storage that the tests use beside a small one of their own: MinIO, from the source of its last release, which
# tools/minio/go.mod pins. Its dependencies are those of a module of its own. It takes some minutes and 1 GB of sources once, then nothing.
set -eu
cd "$(dirname "$0")/.."

mkdir -p bin
go build -C tools/minio -trimpath -ldflags '-s -w' -o ../../bin/minio github.com/minio/minio
