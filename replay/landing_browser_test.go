package replay_test

import (
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var landingPictures = flag.String("landing-pictures", "", "write pictures of the landing pages into this `folder`")

// patience is the time after which a test stops waiting for the browser.
const patience = 20 * time.Second

// A reader is a browser window on a server.
type reader struct {
	t      *testing.T
	ctx    context.Context
	origin string
}

// newReader starts a headless Chromium on the archive of [cases]. It skips the test if there is no browser.
func newReader(t *testing.T) *reader {
	t.Helper()
	s, _ := serverOf(t, write(t, cases()))
	return readerOf(t, s.Handler())
}

// readerOf starts a headless Chromium on a server. It skips the test if there is no browser.
func readerOf(t *testing.T, h http.Handler) *reader {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium in the path: the browser tests need one")
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-component-update", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	return &reader{t, ctx, server.URL}
}

func (b *reader) open(path string) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Navigate(b.origin+path)); err != nil {
		b.t.Fatal(err)
	}
}

// see waits until a JavaScript expression is true. The browser may leave the page meanwhile.
func (b *reader) see(expression string) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	script := `(() => { try { return !!(` + expression + `) } catch { return false } })()`
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		if seen, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script)); err == nil && seen {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			where, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText.slice(0, 600)`))
			b.t.Fatalf("never saw %s\n%s", expression, where)
		}
	}
}

// at waits until the window shows the path.
func (b *reader) at(path string) {
	b.t.Helper()
	b.see(`location.pathname === ` + strconv.Quote(path) + ` && document.readyState === "complete"`)
}

func (b *reader) click(expression string) {
	b.t.Helper()
	b.see(expression)
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`(`+expression+`).click(), true`)); err != nil {
		b.t.Fatal(err)
	}
}

// button is JavaScript that finds a link by its words.
func button(words string) string {
	return `[...document.querySelectorAll("main a")].find((a) => a.textContent.trim() === ` + strconv.Quote(words) + `)`
}

// bannerSays is JavaScript that looks for words in the banner.
func bannerSays(words string) string {
	return `document.querySelector("varve-banner").shadowRoot.textContent.includes(` + strconv.Quote(words) + `)`
}

func pageSays(words string) string {
	return `document.body.innerText.includes(` + strconv.Quote(words) + `)`
}

func TestReadersClickThroughLandingPages(t *testing.T) {
	b := newReader(t)
	const acid = "/web/20180101000001/" + site + "/acid"
	b.open(acid)
	b.at("/web/landing/20180101000001/" + site + "/acid")
	b.see(pageSays("the same page, moved"))
	b.see(pageSays("100% alike"))
	b.click(button("Go on"))
	b.at("/web/20180101000002/" + site + "/topics/acid-rain")
	b.see(bannerSays(site + "/acid"))
	b.open(acid)
	b.click(button("See the page as it was before"))
	b.at("/web/20150101000001/" + site + "/acid")
	b.open(acid)
	b.click(button("See the page that came after"))
	b.at("/web/20200101000000/" + site + "/acid")

	b.open("/web/20180101000003/" + site + "/fog")
	b.see(pageSays("the site's home page, not this page"))
	b.click(button("Fog"))
	b.at("/web/20200101000000/" + site + "/acid")

	b.open("/web/20180101000005/" + site + "/snow")
	b.see(pageSays("The way it went"))
	b.open("/web/20180101000008/" + site + "/round")
	b.see(pageSays("Here the redirects go in a circle."))
	b.open("/web/20180101000010/" + site + "/away")
	b.see(pageSays("That address was never archived."))

	b.open("/web/20180101000011/" + site + "/ice.html")
	b.click(`document.querySelector("varve-banner").shadowRoot.querySelector('a[href*="/landing/"]')`)
	b.at("/web/landing/20180101000011/" + site + "/ice.html")
	b.click(button("Ice"))
	b.at("/web/20180101000012/" + site + "/winter/ice.html")
	b.open("/web/" + site + "/ice.htm")
	b.see(pageSays("another form of the same address"))
}

func TestDontAskAgainSkipsLandingPagesUntilUndone(t *testing.T) {
	b := newReader(t)
	const acid = "/web/20180101000001/" + site + "/acid"
	b.open(acid)
	b.at("/web/landing/20180101000001/" + site + "/acid")
	b.click(`document.querySelector(".ask:not([hidden]) input[name=site]")`)
	b.open(acid)
	b.at("/web/20180101000002/" + site + "/topics/acid-rain")
	b.click(`document.querySelector("varve-banner").shadowRoot.querySelector("button.ask:not([hidden])")`)
	b.open(acid)
	b.at("/web/landing/20180101000001/" + site + "/acid")
}

// TestTakeLandingPictures saves screenshots for people to look at.
func TestTakeLandingPictures(t *testing.T) {
	if *landingPictures == "" {
		t.Skip("-landing-pictures FOLDER takes pictures of what there is to look at")
	}
	b := newReader(t)
	for name, path := range map[string]string{
		"moved": "/web/landing/20180101000001/" + site + "/acid", "home": "/web/landing/20180101000003/" + site + "/fog",
		"chain": "/web/landing/20180101000005/" + site + "/snow", "circle": "/web/landing/20180101000008/" + site + "/round",
		"away": "/web/landing/20180101000010/" + site + "/away", "missing": "/web/landing/20180101000011/" + site + "/ice.html",
		"never": "/web/" + site + "/ice.htm", "similar": "/web/similar/2015/" + site + "/fog",
		"came": "/web/20180101000002/" + site + "/topics/acid-rain",
	} {
		for _, width := range []int64{360, 1280} {
			if _, err := chromedp.Run(b.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
				t.Fatal(err)
			}
			b.open(path)
			png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(*landingPictures, strings.Join([]string{name, strconv.FormatInt(width, 10), "png"}, "."))
			if err := os.WriteFile(file, png, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
