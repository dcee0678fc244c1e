#!/bin/sh
# Fails if a template was changed but the Go code generated from it was not.
set -eu
cd "$(dirname "$0")/.."

sum() { git ls-files -co --exclude-standard "*_templ.go" | xargs cat | sha256sum; }
before=$(sum)
go generate ./banner ./replay/pages/layout
if [ "$before" != "$(sum)" ]; then
	echo "varve: templates and the code made from them differed; the code is made anew: look at git diff and commit it" >&2
	exit 1
fi
