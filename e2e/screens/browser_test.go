package screens

import (
	"context"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/chromium"
)

// browser starts a headless Chromium whose every request goes through a proxy.
func browser(t *testing.T, proxy string) context.Context {
	t.Helper()
	return chromium.Page(t, "ignore-certificate-errors", "window-size=1000,800", "autoplay-policy=no-user-gesture-required",
		"force-device-scale-factor=1", "proxy-server="+proxy, "proxy-bypass-list=<-loopback>")
}
