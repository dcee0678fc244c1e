#!/bin/sh
# Installs the client-side runtime (wombat) from npm into static/dist, where the program embeds it.
# Does nothing if the installed one is newer than the lock file that names it.
set -eu
cd "$(dirname "$0")/../static"

if [ dist/wombat.js -nt package-lock.json ]; then
	exit 0
fi
if ! command -v npm >/dev/null; then
	[ -f dist/wombat.js ] && exit 0 # installed on another machine
	echo "varve: no npm here: building without the client-side runtime; pages whose scripts fetch or write URLs replay only in part (Debian: apt-get install nodejs npm)" >&2
	exit 0
fi
if ! npm ci --no-progress; then
	echo "varve: npm could not bring the client-side runtime: is there a network? To build without it: make build CLIENT=no" >&2
	exit 1
fi
npm run --silent build
# Copied files may keep the package's own dates.
touch dist/*.js
