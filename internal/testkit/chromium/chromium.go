// Package chromium starts the browsers of the tests.
package chromium

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Page starts a headless browser and returns the context of its only page. flags are Chromium's, "name" or "name=value". It skips the test
// if there is no browser.
//
// If installed, this is Debian's headless shell: the same engine without windows, which takes half of the processor's time. Tests of
// what pages can do beyond their own documents use [Readers], those of service workers [Whole].
func Page(tb testing.TB, flags ...string) context.Context {
	tb.Helper()
	return start(tb, []string{"chromium-headless-shell", "chromium"}, flags)
}

// Readers is like [Page], but in the long form of the tests it starts the browser that readers have.
func Readers(tb testing.TB, flags ...string) context.Context {
	tb.Helper()
	if testing.Short() {
		return Page(tb, flags...)
	}
	return Whole(tb, flags...)
}

// Whole is like [Page], but always starts the browser that readers have.
func Whole(tb testing.TB, flags ...string) context.Context {
	tb.Helper()
	return start(tb, []string{"chromium"}, flags)
}

func start(tb testing.TB, names, flags []string) context.Context {
	tb.Helper()
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(find(tb, names)), chromedp.NoSandbox,
		chromedp.DisableGPU)
	for _, f := range append([]string{"disable-quic", "disable-component-update", "no-first-run", "hide-scrollbars"}, flags...) {
		if name, value, valued := strings.Cut(f, "="); valued {
			opts = append(opts, chromedp.Flag(name, value))
		} else {
			opts = append(opts, chromedp.Flag(name, true))
		}
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	tb.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	tb.Cleanup(stop)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		tb.Fatal(err)
	}
	return ctx
}

// find returns the path of the first of some browsers that there is.
func find(tb testing.TB, names []string) string {
	tb.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	tb.Skip("no chromium in the path: the browser tests need one")
	return ""
}
