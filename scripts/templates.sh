#!/bin/sh
# Fails if a template was changed but the Go code generated from it was not.
set -eu
cd "$(dirname "$0")/../banner"

sum() { cat ./*_templ.go | sha256sum; }
before=$(sum)
go generate .
if [ "$before" != "$(sum)" ]; then
	echo "varve: banner's templates and the code made from them differed; the code is made anew: look at git diff banner and commit it" >&2
	exit 1
fi
