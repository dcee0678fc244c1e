#!/bin/sh
# Runs each fuzz target for FUZZTIME (default 5s). Making what it finds smaller is bounded: it may take a minute for a single input,
# in which nothing else is tried.
set -eu
cd "$(dirname "$0")/.."

for dir in $(grep -l '^func Fuzz[A-Za-z0-9_]*(f' ./*/*_test.go ./*/*/*_test.go 2>/dev/null | xargs -n1 dirname | sort -u); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(f.*/\1/p' "$dir"/*_test.go); do
		echo "varve: $dir $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-5s}" -fuzzminimizetime 10x "$dir"
	done
done
