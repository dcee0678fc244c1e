package replaytest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
)

// A Reader is a browser window on a server.
type Reader struct {
	T      *testing.T
	Ctx    context.Context // of the window
	Origin string          // prefix of the paths to open; "" opens whole addresses
}

// NewReader starts a headless Chromium on the archive of [Moved]. It skips the test if there is no browser.
func NewReader(t *testing.T) *Reader {
	t.Helper()
	s, _ := Serve(t, Write(t, Moved()))
	return ReaderOf(t, s.Handler())
}

// ReaderOf starts a headless Chromium on a server. It skips the test if there is no browser.
func ReaderOf(t *testing.T, h http.Handler) *Reader {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return &Reader{T: t, Ctx: chromium.Page(t), Origin: server.URL}
}

// Open opens a path.
func (b *Reader) Open(path string) {
	b.T.Helper()
	if err := chromedp.Do(b.Ctx, chromedp.Navigate(b.Origin+path)); err != nil {
		b.T.Fatal(err)
	}
}

// See waits until a JavaScript expression is true. The browser may leave the page meanwhile.
func (b *Reader) See(expression string) {
	b.T.Helper()
	ctx, stop := context.WithTimeout(b.Ctx, patience)
	defer stop()
	script := `(() => { try { return !!(` + expression + `) } catch { return false } })()`
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		if seen, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script)); err == nil && seen {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			where, _ := chromedp.Run(b.Ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText.slice(0, 600)`))
			b.T.Fatalf("never saw %s\n%s", expression, where)
		}
	}
}

// At waits until the window shows a path.
func (b *Reader) At(path string) {
	b.T.Helper()
	b.See(`location.pathname === ` + strconv.Quote(path) + ` && document.readyState === "complete"`)
}

// Click waits for the element that an expression finds and clicks it.
func (b *Reader) Click(expression string) {
	b.T.Helper()
	b.See(expression)
	if _, err := chromedp.Run(b.Ctx, chromedp.Evaluate[bool](`(`+expression+`).click(), true`)); err != nil {
		b.T.Fatal(err)
	}
}

// Eval evaluates a script to a string.
func (b *Reader) Eval(script string) string {
	b.T.Helper()
	s, err := chromedp.Run(b.Ctx, chromedp.Evaluate[string](script))
	if err != nil {
		b.T.Fatal(err)
	}
	return s
}

// Whole waits until a page with its banner and all its parts has loaded.
func (b *Reader) Whole() {
	b.T.Helper()
	b.See(`document.readyState === "complete" && document.querySelector("varve-banner[data-on]")`)
	failed := b.Eval(`performance.getEntriesByType("resource")
		.filter((e) => e.responseStatus >= 400 && !e.name.endsWith("/favicon.ico")).map((e) => e.name).join(" ") +
		[...document.images].filter((i) => !i.naturalWidth).map((i) => " " + i.src).join("")`)
	if failed != "" {
		b.T.Errorf("%s lacks %s", b.Eval("location.href"), failed)
	}
}

// Press sends keys to the page.
func (b *Reader) Press(keys string) {
	b.T.Helper()
	if err := chromedp.Do(b.Ctx, chromedp.KeyEvent(keys)); err != nil {
		b.T.Fatal(err)
	}
}

// Slide moves the slider through places, as a hand does on its way to the last one.
func (b *Reader) Slide(places ...int) {
	b.T.Helper()
	b.Eval(fmt.Sprintf(`((r) => { for (const v of %s) { r.value = v; r.dispatchEvent(new Event("input", { bubbles: true })); } return "" `+
		`})(document.querySelector("[type=range]"))`,
		strings.ReplaceAll(fmt.Sprint(places), " ", ",")))
}

// patience is the time after which a test stops waiting for the browser.
const patience = 2 * time.Minute

// PageSays returns JavaScript that reports whether the page contains these words.
func PageSays(words string) string {
	return `document.body.innerText.includes(` + strconv.Quote(words) + `)`
}

// Button returns JavaScript that finds a link by its words.
func Button(words string) string {
	return `[...document.querySelectorAll("main a")].find((a) => a.textContent.trim() === ` + strconv.Quote(words) + `)`
}
