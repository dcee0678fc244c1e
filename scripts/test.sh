#!/bin/bash
# Runs the tests. As "test.sh full" it also runs those that take long, and the race detector.
set -euo pipefail
cd "$(dirname "$0")/.."

# Everything with code of its own goes under the race detector, in its short form, for the detector makes measurements ten times
# slower. What has only tests drives a binary from outside, where the detector does not look.
sources() { go list -f '{{if .GoFiles}}{{.ImportPath}}{{end}}' ./...; }

# The tests in e2e wait for browsers most of the time: they begin first, so that the others run beside them.
tests() {
	status=0
	if [ "${1:-}" = full ]; then
		go test -json -race -short -timeout 20m $(sources) || status=1
		go test -json -timeout 20m ./e2e ./... || status=1
	else
		go test -json -short -timeout 10m ./e2e ./... || status=1
	fi
	go test -C tools -count=1 -json ./... || status=1 # anew: they read files of the other module, which Go's cache doesn't look at
	return $status
}

go build -C tools -o ../bin/tally ./tally
tests "$@" | bin/tally
