#!/bin/bash
# Runs the tests. As "test.sh full" it also runs those that take long, and the race detector.
set -euo pipefail
cd "$(dirname "$0")/.."

# The race detector makes tests ten times slower, so it looks only at packages that start goroutines or guard what these share, and at
# those that answer requests side by side. The program's own tests are left out: they drive a binary from outside, where it doesn't look.
# The tests in "alone" repeat one thing many times without any goroutine.
alone='NeverArchived|AcrossBatches|MatchBruteForce|GlancesTell|ScanReadsEachPacking|EveryFault|TouchedKnows|KilledCompaction|TextGroups|ARunThatFails|TimeMapPageReads|ShortCutsInWords|WordsOfEachCharacter|VersionsAreThoseOfAllCaptures|AFailingIndexIsAnError'
shared() {
	echo ./replay ./replay/engine
	git grep -lE 'sync\.(Mutex|RWMutex|Once|WaitGroup|Map)|errgroup|atomic\.|\<go func' -- '*.go' ':!*_test.go' ':!cmd' ':!tools' |
		xargs -n1 dirname | sort -u | sed 's|^|./|'
}

# go test with its arguments and exit code around it: tally runs again what failed, as it was run before.
run() {
	code=0
	printf '{"Action":"begin","Output":"%s"}\n' "$*"
	go test "$@" -json || code=$?
	printf '{"Action":"exit","Output":"%s"}\n' $code
}

# The tests in e2e mostly wait for browsers, so the others run meanwhile, with what these leave of the processor: a browser that gets none
# looks as if it hung. What e2e prints comes last, in one piece. Many packages wait for databases and clocks, so three are tested at a time.
tests() {
	short=-short others=$(go list ./... | sed 's|^github.com/varve-archive/varve|.|' | grep -v '^./e2e')
	[ "${1:-}" != full ] || short=
	run $short -parallel 4 -timeout 40m ./e2e/... >bin/e2e.json &
	renice -n 5 $BASHPID >/dev/null # of this shell and what it starts from now on
	[ "${1:-}" != full ] || run -race -short -skip "$alone" -p 3 -timeout 40m $(shared)
	run $short -p 3 -timeout 40m $others
	wait
	cat bin/e2e.json
	run -C tools -count=1 ./... # not cached: they read files of the other module, which Go's cache doesn't check
}

go build -C tools -o ../bin/tally ./tally
tests "$@" | bin/tally
