#!/bin/sh
# On an upgrade the new version restarts the service: "upgrade" is Debian's word for it, 1 Fedora's.
set -e
if [ "$1" != upgrade ] && [ "$1" != 1 ] && [ -d /run/systemd/system ]; then
	systemctl disable --now varve.service || true
fi
