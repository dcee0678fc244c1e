#!/bin/bash
# The developer's loop: lint and the short tests of the packages that differ from the last commit on main, and one walk through
# varve's pages in a browser.
set -euo pipefail
cd "$(dirname "$0")/.."

base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD~1)
[ -n "$(git status --porcelain -- '*.go')" ] && base=HEAD
changed=$({ git diff --name-only --diff-filter=d "$base" -- '*.go' ':!tools'; git ls-files --others --exclude-standard -- '*.go' ':!tools'; } |
	xargs -r -n1 dirname | sort -u | grep -v '^e2e' | sed 's|^|./|' || true)
unformatted=$(git ls-files -mo --exclude-standard -- '*.go' | xargs -r go tool -modfile=tools/go.mod gofumpt -l)
test -z "$unformatted" || { echo "not formatted as gofumpt does:"; echo "$unformatted"; exit 1; }
scripts/lines.sh
# shellcheck disable=SC2086 # a list of packages
if [ -n "$changed" ]; then
	go vet $changed
	go tool -modfile=tools/go.mod staticcheck $changed
	go test -short . $changed
fi
go test -short -count=1 ./e2e -run '^TestEveryPageIsWalkedByKeyboard$'
