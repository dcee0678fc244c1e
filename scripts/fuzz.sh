#!/bin/sh
# Runs each fuzz target for FUZZTIME (default 5s). Making what it finds smaller is bounded: it may take a minute for a single input,
# in which nothing else is tried.
set -eu
cd "$(dirname "$0")/.."

for dir in $(git grep -l '^func Fuzz[A-Za-z0-9_]*(f' -- '*_test.go' | xargs -n1 dirname | sort -u); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(f.*/\1/p' "$dir"/*_test.go); do
		echo "varve: $dir $target"
		(cd "$dir" && go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-5s}" -fuzzminimizetime 1x)
	done
done
