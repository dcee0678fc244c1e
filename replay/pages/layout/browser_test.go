package layout_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
	"github.com/varve-archive/varve/internal/testkit/looks"
)

// root is the folder of the module.
const root = "../../.."

// pages are the pages of all packages, as their golden files have them, so that one browser is enough for all.
func pages(t *testing.T) looks.Fixtures {
	t.Helper()
	folders, err := filepath.Glob("../*")
	if err != nil {
		t.Fatal(err)
	}
	all := looks.Kept(t, append(folders, "../../proxy")...)
	if n := len(all("en")); n < 60 {
		t.Fatalf("only %d pages have golden files", n)
	}
	return all
}

func TestPagesHaveNoBarriers(t *testing.T) {
	t.Parallel()
	all := pages(t)
	looks.Barriers(t, root, looks.Serve(t, looks.Handler(t, root, all)), all, "addresses", "calendar-day", "collection", "landing-never")
}

// What the browser is shown is what the server sends.
func TestGoldenFilesAreWholePages(t *testing.T) {
	for name, page := range pages(t)("en") {
		if html := looks.Render(t, page); !strings.HasPrefix(html, "<!doctype html>") && !strings.HasPrefix(name, "banner") {
			t.Errorf("%s begins with %.40q", name, html)
		}
	}
}

// TestSearchFormsSendWhatTheyShow types a word into the box of each page, or into that of the page itself.
func TestSearchFormsSendWhatTheyShow(t *testing.T) {
	ctx, s := chromium.Page(t), looks.Serve(t, looks.Handler(t, root, pages(t)))
	const url = "http%3A%2F%2Fwww.epa.gov%2Facidrain%2F"
	for _, c := range []struct{ page, want string }{
		{"collection", "/web/?url=lead"},
		{"calendar", "/web/search?q=lead&change=deleted&url=" + url + "&matchType=exact"},
		{"search-ask", "/web/?q=lead&change=deleted&url=" + url + "&matchType=exact&domain=&from=&to="},
		{"search", "/web/?q=lead&change=deleted&url=&domain=epa.gov&from=2016&to="},
		{"search-added", "/web/?q=lead&change=added&url=&domain=epa.gov&from=2016&to="},
		{"search-present", "/web/?q=lead&change=present&mime=text%2Fhtml&url=&domain=&from=2016&to="},
		{"search-present-ask", "/web/?q=lead&change=present&url=&domain=&from=&to="},
	} {
		looks.Open(t, ctx, s.URL+"/"+c.page+".en")
		looks.Evaluate[bool](t, ctx, `((q) => {
			q.form.addEventListener("submit", (e) => {
				e.preventDefault();
				window.sent = new URL(e.target.action).pathname + "?" + new URLSearchParams(new FormData(e.target));
			});
			q.focus(); q.select(); return true;
		})(document.querySelector("main input[name=q]") || document.querySelector(".box input"))`)
		if err := chromedp.Do(ctx, chromedp.KeyEvent("lead\r")); err != nil {
			t.Fatal(err)
		}
		looks.Await(t, ctx, `!!window.sent`)
		if got := looks.Evaluate[string](t, ctx, `window.sent`); got != c.want {
			t.Errorf("%s sends %s, want %s", c.page, got, c.want)
		}
	}
}
