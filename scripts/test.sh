#!/bin/bash
# Runs the tests. As "test.sh full" it also runs those that take long, and the packages that share something under the race detector.
# With LONG=yes the packages that read the sample archives, compare all with all or measure growth, and need no browser, run in their long form.
set -euo pipefail
cd "$(dirname "$0")/.."

short=-short
[ "${1:-}" != full ] || short=
module=github.com/varve-archive/varve
root=$PWD
failed=0

run() { # lint vets
	go tool -modfile="$root/tools/go.mod" gotestsum --no-color --format=pkgname --format-hide-empty-pkg -- -vet=off -timeout 90m "$@"
}

# Packages that start goroutines or guard what these share. The program's own tests drive a binary from outside, where the race
# detector doesn't look.
shared() {
	echo $module/replay $module/replay/engine
	git grep -lE 'sync\.(Mutex|RWMutex|Once|WaitGroup|Map)|errgroup|atomic\.|\<go func' -- '*.go' ':!*_test.go' ':!cmd' ':!tools' |
		xargs -n1 dirname | sort -u | sed "s|^|$module/|"
}

# Packages that mostly wait for browsers. Browsers that get little of the processor look as if they hung, so the others take what these leave.
browsers="$module/(banner|replay/pages/(absent|comparison|layout|search)|gather/crawl|gather/crawl/browser|gather/follow|replay/render|replay/replaytest|e2e|e2e/screens)$"
# Packages with a long form that takes seconds. Where it measures how time grows, that is the processor's time.
long="$module/(archive|archive/(change|content)(/.*)?|archive/(duplicates|fuzzy|index/badger|ingest|landing|requests|similar|timeline|warc)|cdx.*|memento|replay/pages(/.*)?|rewrite.*)$"
[ "${LONG:-}" = yes ] || long='none$'
others() {
	# shellcheck disable=SC2046 # lists of packages
	run $short -p 2 $(go list ./... | grep -vE "^$browsers" | grep -vE "^$long") || rc=1
	# shellcheck disable=SC2046
	[ "${LONG:-}" != yes ] || run -p 2 $(go list ./... | grep -E "^$long") || rc=1
	for at in tools tools/deploy; do
		(cd $at && run -count=1 ./...) || rc=1 # not cached: they read files of the other module
	done
	return ${rc:-0}
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
(renice -n 10 $BASHPID >/dev/null && others) >"$log" 2>&1 &
beside=$!
# shellcheck disable=SC2046
run $short -p 2 -parallel 3 $(go list ./... | grep -E "^$browsers") || failed=1
wait $beside || failed=1
cat "$log"
# shellcheck disable=SC2046
[ -n "$short" ] || run -race -short -p 3 $(shared) || failed=1
exit $failed
