#!/bin/bash
# Runs the tests. As "test.sh full" it also runs those that take long, and the packages that share something under the race detector.
set -euo pipefail
cd "$(dirname "$0")/.."

short=-short
[ "${1:-}" != full ] || short=
module=github.com/varve-archive/varve
failed=0

run() {
	go tool -modfile="$root/tools/go.mod" gotestsum --no-color --format=pkgname --hide-summary=output -- "$@"
}

# Packages that start goroutines or guard what these share. The program's own tests drive a binary from outside, where the race
# detector doesn't look.
shared() {
	echo $module/replay $module/replay/engine
	git grep -lE 'sync\.(Mutex|RWMutex|Once|WaitGroup|Map)|errgroup|atomic\.|\<go func' -- '*.go' ':!*_test.go' ':!cmd' ':!tools' |
		xargs -n1 dirname | sort -u | sed "s|^|$module/|"
}

# The tests in e2e mostly wait for browsers, so the others run meanwhile, with what these leave of the processor: a browser that gets none
# looks as if it hung. What e2e prints comes last, in one piece.
root=$PWD
mkdir -p bin
run $short -parallel 4 -timeout 40m ./e2e/... >bin/e2e.txt 2>&1 &
browsers=$!
renice -n 5 $BASHPID >/dev/null # of this shell and what it starts from now on
# shellcheck disable=SC2046 # lists of packages
run $short -p 3 -timeout 40m $(go list ./... | grep -v "^$module/e2e") || failed=1
(cd tools && run -count=1 ./...) || failed=1 # not cached: they read files of the other module
wait $browsers || failed=1
cat bin/e2e.txt
# shellcheck disable=SC2046
[ -n "$short" ] || run -race -short -p 3 -timeout 90m $(shared) || failed=1
exit $failed
