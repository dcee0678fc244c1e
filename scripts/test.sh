#!/bin/sh
# Runs all tests: under the race detector those of the packages in which goroutines share something, plainly those
# that only compute, because the detector makes their measurements on large archives ten times slower.
set -eu
cd "$(dirname "$0")/.."

concurrent=$(go list ./cdx/... ./cmd/... ./ingest ./replay ./search ./static ./warc)
rest=$(go list ./... | grep -vxF "$concurrent")

failed=0
echo "varve: tests under the race detector"
go test -race -timeout 15m $concurrent || failed=1
echo "varve: the other tests"
go test -timeout 15m $rest || failed=1
# What compares large archives with themselves is left out of replay's tests under the race detector.
go test -timeout 15m -run 'BruteForce|AllWithAll|LivesOn' ./replay || failed=1
(cd tools && go test ./...) || failed=1
exit $failed
