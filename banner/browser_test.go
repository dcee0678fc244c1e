package banner

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
)

// site serves the fixtures as /NAME.LANG, archived pages around banners, and the server's own files.
func site(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(siteHandler(t))
	t.Cleanup(s.Close)
	return s
}

func siteHandler(t *testing.T) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/-/static/", http.StripPrefix("/-/static/", http.FileServer(http.Dir("../static/assets"))))
	mux.HandleFunc("/web/changes", changesAtText)
	fixture := func(w http.ResponseWriter, r *http.Request) {
		name, lang, _ := strings.Cut(r.PathValue("fixture"), ".")
		c, ok := fixtures(lang)[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		html := render(t, c)
		if strings.HasPrefix(name, "banner") {
			html = archived(html)
		} else {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'")
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(html))
	}
	mux.HandleFunc("/{fixture}", fixture)
	mux.HandleFunc("/web/fixtures/{fixture}", fixture) // where a collection's cookies are sent
	return mux
}

// emulate sets the size of the window and the colours that the reader prefers.
func emulate(width, height int64, scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := chromedp.EmulateViewport(width, height)(ctx, t); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	})
}

// TestTakePictures writes screenshots beside the pages that TestWriteForLooking writes.
func TestTakePictures(t *testing.T) {
	if *look == "" {
		t.Skip("-look FOLDER takes pictures of what there is to look at")
	}
	ctx, s := chromium.Page(t), site(t)
	for name := range fixtures("en") {
		for _, view := range []struct {
			lang, scheme string
			width        int64
		}{{"en", "light", 1280}, {"en", "dark", 360}, {"fa", "light", 360}, {"fa", "dark", 1280}, {"uk", "light", 1920}} {
			err := chromedp.Do(ctx, emulate(view.width, 800, view.scheme), chromedp.Navigate(s.URL+"/"+name+"."+view.lang))
			if err != nil {
				t.Fatal(err)
			}
			if name == "banner-full" { // with everything that opens on demand
				evaluate[bool](t, ctx, inBanner(`(nav.querySelectorAll(".all").forEach((a) => a.click()), $(".now details").open = true)`))
			}
			png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			file := strings.Join([]string{name, view.lang, view.scheme, "png"}, ".")
			if err := os.WriteFile(filepath.Join(*look, file), png, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
