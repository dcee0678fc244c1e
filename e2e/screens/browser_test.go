package screens

import (
	"context"
	"os/exec"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// browser starts a headless Chromium whose every request goes through a proxy.
func browser(t *testing.T, proxy string) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium in the path: the browser tests need one")
	}
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.IgnoreCertErrors, chromedp.WindowSize(1000, 800),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.Flag("force-device-scale-factor", "1"),
		chromedp.Flag("proxy-server", proxy), chromedp.Flag("proxy-bypass-list", "<-loopback>"))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return ctx
}
