#!/bin/bash
# Runs the tests, except those whose names end in _long, which "test.sh long" runs. "test.sh full" runs all, each in its long form, and the
# packages that share something under the race detector.
set -euo pipefail
cd "$(dirname "$0")/.."

form=(-short -skip '_long$')
[ "${1:-}" != full ] || form=()
module=github.com/varve-archive/varve
root=$PWD
failed=0

# run runs the tests of packages, with flags of go test. Lint vets, and what debuggers need of 160 programs takes a minute to link. One or
# two tests that fail run once more, and are named in either case: on a machine that does much else, a browser or a process may come late.
run() {
	local packages=$1
	shift
	go tool -modfile="$root/tools/go.mod" gotestsum --no-color --format=pkgname --format-hide-empty-pkg --rerun-fails=1 \
		--rerun-fails-max-failures=4 --rerun-fails-run-root-test --packages="$packages" -- -vet=off -ldflags=-w -timeout 90m "$@"
}

if [ "${1:-}" = long ]; then
	run "$(git grep -lE '^func Test\w+_long\(' -- '*_test.go' | xargs -n1 dirname | sort -u | sed "s|^|$module/|")" \
		-short -run '_long$' -count=1 -p 2 -parallel 4
	exit
fi

# Packages that start goroutines or guard what these share. The program's own tests drive a binary from outside, where the race
# detector doesn't look.
shared() {
	echo $module/replay $module/replay/engine
	git grep -lE 'sync\.(Mutex|RWMutex|Once|WaitGroup|Map)|errgroup|atomic\.|\<go func' -- '*.go' ':!*_test.go' ':!cmd' ':!tools' |
		xargs -n1 dirname | sort -u | sed "s|^|$module/|"
}

# Packages that mostly wait for browsers. Browsers that get little of the processor look as if they hung, so the others take what these leave.
browsers="$module/(banner|replay/pages/(absent|comparison|layout|search)|gather/crawl|gather/crawl/browser|gather/follow|gather/proxied|replay/render|replay/replaytest|e2e|e2e/screens)$"
others() {
	run "$(go list ./... | grep -vE "^$browsers")" "${form[@]}" -p 2 || rc=1
	for at in tools tools/deploy; do
		(cd $at && run ./... -count=1) || rc=1 # not cached: they read files of the other module
	done
	return ${rc:-0}
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
(renice -n 10 $BASHPID >/dev/null && others) >"$log" 2>&1 &
beside=$!
# -count=1, since e2e builds the program that it tests, which the cache of test results doesn't see.
run "$(go list ./... | grep -E "^$browsers")" "${form[@]}" -count=1 -p 2 -parallel 4 || failed=1
wait $beside || failed=1
cat "$log"
[ ${#form[@]} != 0 ] || run "$(shared)" -race -short -p 3 || failed=1
exit $failed
