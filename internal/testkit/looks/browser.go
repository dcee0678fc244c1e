package looks

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
)

// Handler serves fixtures as /NAME.LANG, archived pages around banners, and the server's own files. root is the folder of the module.
func Handler(t *testing.T, root string, fixtures Fixtures) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("/-/static/", http.StripPrefix("/-/static/", http.FileServer(http.Dir(filepath.Join(root, "static/assets")))))
	fixture := func(w http.ResponseWriter, r *http.Request) {
		name, lang, _ := strings.Cut(r.PathValue("fixture"), ".")
		c, ok := fixtures(lang)[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if !strings.HasPrefix(name, "banner") {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'")
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(inPage(name, Render(t, c))))
	}
	mux.HandleFunc("/{fixture}", fixture)
	mux.HandleFunc("/web/fixtures/{fixture}", fixture) // where a collection's cookies are sent
	return mux
}

// Serve serves until the test ends.
func Serve(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// Emulate sets the size of the window and the colours that the reader prefers.
func Emulate(width, height int64, scheme string) chromedp.Action[chromedp.Void] {
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

// patience is how long a browser may take before a test that waits for something fails.
const patience = 2 * time.Minute

// Await waits until an expression is true.
func Await(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	Evaluate[bool](t, ctx, `new Promise((done) => { const f = () => (`+expression+`) ? done(true) : setTimeout(f, 20); f() })`,
		chromedp.EvalAwaitPromise)
}

// InBanner returns JavaScript that evaluates an expression with nav, host and $ of the banner in scope.
func InBanner(expression string) string {
	return `(() => { const host = document.querySelector("varve-banner"), nav = host.shadowRoot.querySelector("nav"), ` +
		`$ = (s) => nav.querySelector(s); return ` + expression + ` })()`
}

// Evaluate evaluates JavaScript in the page.
func Evaluate[T any](t *testing.T, ctx context.Context, expression string, opts ...chromedp.EvaluateOption) T {
	t.Helper()
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, opts...))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return got
}

// Open leads the browser to a page.
func Open(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
}

// Pictures writes screenshots of fixtures beside what [Write] writes. Before each, it runs the script that belongs to its name.
func Pictures(t *testing.T, s *httptest.Server, fixtures Fixtures, scripts map[string]string) {
	if *look == "" {
		t.Skip("-look FOLDER takes pictures of what there is to look at")
	}
	ctx := chromium.Page(t)
	for name := range fixtures("en") {
		for _, view := range []struct {
			lang, scheme string
			width        int64
		}{{"en", "light", 1280}, {"en", "dark", 360}, {"fa", "light", 360}, {"fa", "dark", 1280}, {"uk", "light", 1920}} {
			err := chromedp.Do(ctx, Emulate(view.width, 800, view.scheme), chromedp.Navigate(s.URL+"/"+name+"."+view.lang))
			if err != nil {
				t.Fatal(err)
			}
			if script := scripts[name]; script != "" {
				Evaluate[bool](t, ctx, script)
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

// Narrow opens every fixture but banners, around which the archived page is wider, on a screen of 320 pixels, which is also what one of
// 1280 shows at 400 %. Pages must fit it, and their headings must be whole where readers set the text wider (WCAG 1.4.12).
func Narrow(t *testing.T, s *httptest.Server, fixtures Fixtures, langs ...string) {
	ctx := chromium.Page(t)
	if err := chromedp.Do(ctx, Emulate(320, 700, "light")); err != nil {
		t.Fatal(err)
	}
	for _, lang := range langs {
		for name := range fixtures(lang) {
			if strings.HasPrefix(name, "banner") {
				continue
			}
			Open(t, ctx, s.URL+"/"+name+"."+lang)
			if w := Evaluate[int](t, ctx, `document.documentElement.scrollWidth`); w > 320 {
				t.Errorf("%s in %s is %d px wide on a screen of 320", name, lang, w)
			}
			if cut := Evaluate[string](t, ctx, cutHeadings); cut != "" {
				t.Errorf("%s in %s: cut off: %s", name, lang, cut)
			}
		}
	}
}

// cutHeadings sets the text wider and returns the headings that are cut off then.
const cutHeadings = `(document.styleSheets[0].insertRule(
	"* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }"),
	document.querySelectorAll("h1 .uri").forEach((u) => u.textContent = "http://www.riverbend.example/archive/water-quality-2016.html"),
	[...document.querySelectorAll("h1, h2, h3")].filter((h) => h.scrollHeight > h.clientHeight + 2).map((h) => h.textContent).join("\n"))`

// axeSource is what npm installs, as scripts/testneeds.sh has it.
const axeSource = "internal/testkit/looks/axe/node_modules/axe-core/axe.min.js"

// barriers has axe look at the page, and says what it found: the rule, how bad that is, and where. A banner is looked at alone;
// what stands around it is the archived page's.
const barriers = `axe.run(document.querySelector("varve-banner") ? {include: [["varve-banner"]]} : document, {resultTypes: ["violations"]})
	.then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + " (" + v.impact + "): " + n.html + " " +
		n.any.concat(n.all, n.none).map((c) => c.message).join("; "))).join("\n"))`

// Barriers runs axe on every fixture, in both directions of writing, light and dark, wide and narrow; in the short form on some. root
// is the folder of the module.
func Barriers(t *testing.T, root string, s *httptest.Server, fixtures Fixtures, some ...string) {
	axe, err := os.ReadFile(filepath.Join(root, axeSource))
	if err != nil {
		t.Skip("axe is not there: make needs installs it")
	}
	ctx := chromium.Page(t)
	for _, view := range []struct {
		lang, scheme string
		width        int64
	}{{"en", "dark", 1280}, {"fa", "light", 390}} {
		names := slices.Sorted(maps.Keys(fixtures(view.lang)))
		if testing.Short() && view.width > 390 {
			continue
		} else if testing.Short() {
			names = some
		}
		for _, name := range names {
			t.Run(fmt.Sprint(name, " ", view.lang, " ", view.width), func(t *testing.T) {
				url := s.URL + "/" + name + "." + view.lang
				if err := chromedp.Do(ctx, Emulate(view.width, 900, view.scheme), chromedp.Navigate(url)); err != nil {
					t.Fatal(err)
				}
				Evaluate[bool](t, ctx, string(axe)+"; true")
				if found := Evaluate[string](t, ctx, barriers, chromedp.EvalAwaitPromise); found != "" {
					t.Errorf("%s", strings.TrimSpace(found))
				}
				if over := Evaluate[int](t, ctx, "document.documentElement.scrollWidth - innerWidth"); over > 0 && !strings.HasPrefix(name, "banner") {
					t.Errorf("it is %d pixels wider than the window", over)
				}
			})
		}
	}
}
