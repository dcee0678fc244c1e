#!/bin/bash
# Tries what make release left in dist/, as far as this machine can run it: the archive and the image's files are unpacked, started and asked;
# the package for Debian is installed, started by its unit's command line as its unit's user, asked, and removed. That needs root, and
# changes the machine, so it happens only with SMOKE_INSTALL=yes.
set -euo pipefail
cd "$(dirname "$0")/../dist"

arch=$(go env GOARCH)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
sha256sum --quiet --check SHA256SUMS

ask() { # WHAT: the server that was started last answers on port 18080, with the sample archive
	for _ in $(seq 100); do
		curl -sf http://127.0.0.1:18080/-/readyz >/dev/null && break
		sleep 0.2
	done
	curl -sI -H 'Accept-Datetime: Sat, 15 Oct 2016 12:00:00 GMT' http://127.0.0.1:18080/web/http://www.riverbend.example/history.html |
		grep -q '^Location: .*/web/20161001092236/' || { echo "varve: $1 does not answer as it should" >&2; exit 1; }
	kill "$server"
	wait "$server" || true
	server=
	echo "varve: $1 answers"
}

tar -xzf varve_*_linux_"$arch".tar.gz -C "$work"
program=$(echo "$work"/varve_*/varve)
"$program" demo --data "$work/data" --listen 127.0.0.1:18080 >/dev/null 2>&1 &
server=$!
ask "the archive"
warcs=$work/data/demo

mkdir "$work/image" "$work/root"
tar -xf varve_*_linux_"$arch".oci.tar -C "$work/image"
layer=$(grep -l . "$work"/image/blobs/sha256/* | while read -r f; do ! gzip -t "$f" 2>/dev/null || echo "$f"; done)
tar -xzf "$layer" -C "$work/root"
VARVE_DATA=$work/data2 VARVE_LISTEN=127.0.0.1:18080 "$work/root/varve" serve --no-search "$warcs" >/dev/null 2>&1 &
server=$!
for _ in $(seq 100); do VARVE_LISTEN=127.0.0.1:18080 "$work/root/health" 2>/dev/null && break || sleep 0.2; done
ask "the image's program"

if [ "${SMOKE_INSTALL:-}" != yes ]; then
	echo "varve: the package was not installed: SMOKE_INSTALL=yes does, as root"
	exit 0
fi
dpkg -i varve_*_"$arch".deb >/dev/null
install -o varve -g varve "$warcs"/*.warc.gz /var/lib/varve/warcs/
sed -i 's/^listen: .*/listen: 127.0.0.1:18080/' /etc/varve.yaml
# shellcheck disable=SC2046 # the words of a command
setpriv --reuid=varve --regid=varve --init-groups $(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/varve.service) >/dev/null 2>&1 &
server=$!
ask "the package"
dpkg --purge varve >/dev/null
for gone in /usr/bin/varve /etc/varve.yaml /usr/lib/systemd/system/varve.service /usr/share/doc/varve; do
	! [ -e "$gone" ] || { echo "varve: $gone is left after the package was removed" >&2; exit 1; }
done
[ -d /var/lib/varve/index ] || { echo "varve: the index is gone with the package" >&2; exit 1; }
rm -rf /var/lib/varve
userdel varve
echo "varve: the package leaves nothing but data"
