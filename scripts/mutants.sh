#!/bin/bash
# Changes the code of one package in small ways, one at a time (a < to a <=, a + to a -, a condition to its opposite), and runs
# the package's tests on each change. If they still pass, no test checks that code. usage: mutants.sh ./PACKAGE [FLAG of gremlins …]
#
# It works in a copy of the checkout with nothing beside it, so that only tests with data in the repository can kill a mutant.
set -euo pipefail
cd "$(dirname "$0")/.."
package=${1:?name a package: make mutants PKG=memento}
package=./${package#./} # without ./ each change would count as killed, by a package that does not exist
shift

copy=$(mktemp -d)
trap 'chmod -R u+w "$copy"; rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy" 2>/dev/null || true # deleted files are gone
cp static/dist/*.js "$copy/static/dist/" 2>/dev/null || true
cd "$copy"
git init --quiet # so that git doesn't use a parent's

# A mutant may never end. It gets ten times as long as the tests take; then it counts as killed.
go run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0 unleash --workers 2 --timeout-coefficient 10 "$@" "$package"
