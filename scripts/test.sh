#!/bin/bash
# Runs the tests. As "test.sh full" it also runs those that take long, and the packages that share something under the race detector.
set -euo pipefail
cd "$(dirname "$0")/.."

short=-short
[ "${1:-}" != full ] || short=
module=github.com/varve-archive/varve
root=$PWD
failed=0

run() { # lint vets, and what debuggers need of 160 programs takes a minute to link
	go tool -modfile="$root/tools/go.mod" gotestsum --no-color --format=pkgname --format-hide-empty-pkg -- -vet=off -ldflags=-w -timeout 90m "$@"
}

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
	# shellcheck disable=SC2046 # a list of packages
	run $short -p 2 $(go list ./... | grep -vE "^$browsers") || rc=1
	for at in tools tools/deploy; do
		(cd $at && run -count=1 ./...) || rc=1 # not cached: they read files of the other module
	done
	return ${rc:-0}
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
(renice -n 10 $BASHPID >/dev/null && others) >"$log" 2>&1 &
beside=$!
# -count=1, since e2e builds the program that it tests, which the cache of test results doesn't see.
# shellcheck disable=SC2046
run $short -count=1 -p 2 -parallel 4 $(go list ./... | grep -E "^$browsers") || failed=1
wait $beside || failed=1
cat "$log"
# shellcheck disable=SC2046
[ -n "$short" ] || run -race -short -p 3 $(shared) || failed=1
exit $failed
