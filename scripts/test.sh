#!/bin/bash
# Runs the tests. As "test.sh full" it also runs those that take long, and the race detector.
set -euo pipefail
cd "$(dirname "$0")/.."

# Packages with code run their short tests under the race detector, which makes the long ones ten times slower. Packages with
# only tests drive a binary from outside, where the detector does not look. The tests of the program mostly do so too: they start many
# processes, and took three of the eight minutes.
sources() { go list -f '{{if .GoFiles}}{{.ImportPath}}{{end}}' ./... | grep -v '/cmd/'; }

# The tests in e2e mostly wait for browsers, so they start first and the others run meanwhile.
tests() {
	status=0
	if [ "${1:-}" = full ]; then
		go test -json -race -short -timeout 20m $(sources) || status=1
		go test -json -timeout 20m ./e2e ./... || status=1
	else
		go test -json -short -timeout 10m ./e2e ./... || status=1
	fi
	go test -C tools -count=1 -json ./... || status=1 # not cached: they read files of the other module, which Go's cache doesn't check
	return $status
}

go build -C tools -o ../bin/tally ./tally
tests "$@" | bin/tally
