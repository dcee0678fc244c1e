#!/bin/sh
set -e
if ! getent passwd varve >/dev/null; then
	useradd --system --user-group --home-dir /var/lib/varve --no-create-home --shell /usr/sbin/nologin varve
fi
install -d -o varve -g varve -m 0755 /var/lib/varve /var/lib/varve/warcs
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl enable varve.service
	systemctl restart varve.service
fi
