package browser

import (
	"context"
	"log/slog"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/chromium"
	"github.com/varve-archive/varve/internal/forward"
)

// What is taken of a page has a bound, also if it is links in shadow trees and in many frames.
func TestLinksInShadowTreesAreBounded(t *testing.T) {
	if _, err := chromium.Find("", false); err != nil {
		t.Skip(err)
	}
	ca, err := forward.LoadAuthority(filepath.Join(t.TempDir(), "ca"), false)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Start(t.Context(), Config{
		Dir: filepath.Join(t.TempDir(), "profile"), Proxy: "127.0.0.1:9", CA: ca.DER,
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
