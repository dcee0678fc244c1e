package browser

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/chromium"
	"github.com/varve-archive/varve/internal/forward"
)

// started returns a browser that reaches the web through a proxy.
func started(t *testing.T, proxy string) *Browser {
	t.Helper()
	if _, err := chromium.Find("", false); err != nil {
		t.Skip(err)
	}
	ca, err := forward.LoadAuthority(filepath.Join(t.TempDir(), "ca"), false)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Start(t.Context(), Config{
		Dir: filepath.Join(t.TempDir(), "profile"), Proxy: proxy, CA: ca.DER,
		Patience: 5 * time.Second, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// A page is elsewhere if steps led to another one. What a browser shows of other files is no page.
func TestWhereStepsLead(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/note" {
			w.Header().Set("Content-Type", "text/plain")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><a href='#here'>here</a> <a href=/>anew</a> <a href=/other>other</a> <a href=/note>note</a>")
	}))
	t.Cleanup(proxy.Close)
	b := started(t, proxy.Listener.Addr().String())
	const first = "http://a.example/"
	for to, want := range map[string]struct {
		page      string // "" if there is none
		elsewhere bool
	}{"#here": {first, false}, "/": {first, false}, "/other": {first + "other", true}, "/note": {"", false}} {
		shown, err := b.Visit(t.Context(), Visit{
			URL: first, Steps: []Step{{Verb: Click, On: Selector("a[href='" + to + "']")}},
			Guard: func(context.Context, Request) bool { return true },
		}, 1<<20)
		if err != nil || len(shown.Failed) > 0 {
			t.Fatal(err, shown.Failed)
		}
		page := ""
		if len(shown.Frames) > 0 {
			page = shown.Frames[0].URL
		}
		if page != want.page || shown.Elsewhere != want.elsewhere {
			t.Errorf("%s: %q, elsewhere: %t", to, page, shown.Elsewhere)
		}
	}
}

// What is taken of a page has a bound, also if it is links in shadow trees and in many frames.
func TestLinksInShadowTreesAreBounded(t *testing.T) {
	b := started(t, "127.0.0.1:9")
	const page = `<!doctype html><div id=a></div><script>
		const root = a.attachShadow({mode: "open"});
		for (let n = 0; n < 500; n++)
			root.append(Object.assign(document.createElement("a"), {href: "http://a.example/" + n + "/" + "x".repeat(1000)}));
		const text = document.documentElement.outerHTML;
		for (let n = 0; n < 5 && top === window; n++) document.body.append(Object.assign(document.createElement("iframe"),
			{srcdoc: text}))</script>`
	for limit, want := range map[int]int{10 << 20: 3000, 100_000: 95, 700_000: 690} {
		visit := Visit{URL: "data:text/html," + url.PathEscape(page), Guard: func(context.Context, Request) bool { return false }}
		shown, err := b.Visit(t.Context(), visit, limit)
		if err != nil {
			t.Fatal(err)
		}
		links, size := 0, 0
		for _, f := range shown.Frames {
			links += len(f.Links)
			size += len(f.HTML)
			for _, l := range f.Links {
				size += len(l)
			}
		}
		if size > limit || links > want || links < want*9/10 {
			t.Errorf("limit %d: %d frames with %d links, %d bytes", limit, len(shown.Frames), links, size)
		}
	}
}
