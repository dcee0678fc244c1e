#!/bin/sh
# Installs what the tests need besides Go: Chromium for the browser tests, with and without windows, a C compiler for the race detector, wget, curl
# and Python to download from varve, nginx as a cache in front of it, PostgreSQL for an index, PgBouncer before it, and Redis for crawls. WITH names more
# commands, each in the package of its name: the long form of the tests wants Firefox.
# What is missing comes from Debian's packages; the Memento client that the tests run against varve, and what the sites
# are made of that replay is compared on, and axe, which looks for what keeps people from using pages, come from npm.
set -eu
cd "$(dirname "$0")/.."

for folder in e2e/mementoclient e2e/screens internal/testkit/looks/axe; do
	if command -v npm >/dev/null && ! [ $folder/node_modules/.package-lock.json -nt $folder/package-lock.json ]; then
		(cd $folder && npm ci --no-progress --no-audit --no-fund)
	fi
done

missing=
command -v chromium >/dev/null || missing="chromium fonts-liberation fonts-dejavu-core"
command -v gcc >/dev/null || missing="$missing gcc libc6-dev"
command -v wget >/dev/null || missing="$missing wget"
command -v curl >/dev/null || missing="$missing curl"
command -v python3 >/dev/null || missing="$missing python3"
command -v nginx >/dev/null || missing="$missing nginx-light"
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$missing postgresql"
command -v pgbouncer >/dev/null || missing="$missing pgbouncer"
command -v redis-server >/dev/null || missing="$missing redis-server"
for command in ${WITH:-}; do
	command -v "$command" >/dev/null || missing="$missing $command"
done
# install installs packages. If the list of packages can't be updated, an old one may do: the installation says what is missing.
install() {
	echo "varve: installing $*"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq || true
	apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
}

if [ -n "$missing" ]; then
	hint="varve: the tests need these Debian packages: $missing"
	if ! command -v apt-get >/dev/null; then
		echo "$hint; there is no apt-get here: install their like, with the commands chromium and gcc in the path" >&2
		exit 1
	fi
	if [ "$(id -u)" != 0 ]; then
		echo "$hint; as root: apt-get install $missing" >&2
		exit 1
	fi
	# shellcheck disable=SC2086 # a list of packages
	if ! install $missing; then
		echo "$hint; installing them failed: is there a network? Install them by hand and run this again" >&2
		exit 1
	fi
fi

# The headless shell takes half of Chromium's time. Where it can't be had, the tests use Chromium.
if ! command -v chromium-headless-shell >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
	install chromium-headless-shell || echo "varve: there is no chromium-headless-shell: the browser tests take longer"
fi
