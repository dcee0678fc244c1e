#!/bin/bash
# Runs the benchmarks (those that match BENCH, for BENCHTIME each) and prints the ratios at the end. A ratio compares with a
# baseline of the same run. Its unit begins with "x-" (times as long as) or "of-" (share of the speed of).
set -euo pipefail
cd "$(dirname "$0")/.."

out=$(mktemp)
failed=0
trap 'rm -f "$out"' EXIT
go test -run '^$' -bench "${BENCH:-.}" -benchtime "${BENCHTIME:-1s}" -benchmem ./... | tee "$out" || failed=$?
# The search beside other engines, which are no dependencies of varve's.
go test -C tools/engines -run '^$' -bench "${BENCH:-.}" -benchtime 1x . | tee -a "$out" || failed=$?

echo
echo "ratios"
awk '/^Benchmark/ { for (i = 2; i <= NF; i++) if ($i ~ /^(x|of)-/) printf "%8s %-16s %s\n", $(i-1), $i, $1 }' "$out"
exit "$failed"
