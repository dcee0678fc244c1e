package e2e

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
	"github.com/varve-archive/varve/internal/testkit/corpora"
)

// looks describes what a page shows as far as a program can tell: its text, its images, the style of some elements.
const looks = `JSON.stringify({
	title: document.title, text: document.body.innerText.replace(/\s+/g, " ").trim(),
	images: [...document.images].map((i) => [i.complete, i.naturalWidth, i.naturalHeight, Math.round(i.getBoundingClientRect().width)]),
	styles: ["body", "h1", "h2", "p", "a", "nav", "table", "li"].map((s) => document.querySelector("body " + s) || document.querySelector(s))
		.map((e) => e && ((c) => [c.color, c.backgroundColor, c.backgroundImage.replace(/.*\//, ""), c.fontFamily, c.fontSize,
			c.display, c.width, c.marginTop])(getComputedStyle(e))),
}, null, 1)`

// direct returns a browser that gets the archived bytes at their original addresses, as from a plain file server.
func direct(t *testing.T, s *server, ts string) *stage {
	t.Helper()
	g := &stage{requests: &requests{}, ctx: chromium.Page(t, "proxy-server="+s.files(t, ts))}
	g.reset(t)
	return g
}

// files returns the address of a proxy that answers with the archived bytes near ts.
func (s *server) files(t *testing.T, ts string) string {
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target := "/web/" + ts + "id_/" + r.RequestURI
		a, err := s.try(http.MethodGet, target, "")
		for n := 0; err == nil && a.status == http.StatusFound && a.header.Get("Memento-Datetime") == "" && n < 3; n++ {
			a, err = s.try(http.MethodGet, strings.TrimPrefix(a.header.Get("Location"), s.url), "")
		}
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		for _, name := range []string{"Content-Type", "Content-Encoding"} {
			if v := a.header.Get(name); v != "" {
				w.Header().Set(name, v)
			}
		}
		w.WriteHeader(a.status)
		_, _ = w.Write([]byte(a.body))
	}))
	t.Cleanup(files.Close)
	return files.URL
}

// TestReplayLooksAsThePageDid compares replayed pages with the same bytes at their original addresses.
func TestReplayLooksAsThePageDid(t *testing.T) {
	t.Parallel()
	compare(t, demo(t), "20160901000000", "http://www.riverbend.example/", "http://www.riverbend.example/history.html")
}

// The same for a real site with scripts and redesigns.
func TestReplayLooksAsARealPageDid(t *testing.T) {
	corpora.SkipShort(t)
	t.Parallel()
	s := start(t, "serve", filepath.Join(corpora.Dir(t), "backbone"))
	for _, ts := range []string{"20110601000000", "20150601000000"} {
		compare(t, s, ts, "http://backbonejs.example.org/", "http://backbonejs.example.org/docs/todos.html")
	}
}

func compare(t *testing.T, s *server, ts string, uris ...string) {
	t.Helper()
	replayed, plain := browse(t, s), direct(t, s, ts)
	for _, uri := range uris {
		t.Run(ts+" "+uri, func(t *testing.T) {
			memento := s.get(t, "/web/"+ts+"/"+uri).header.Get("Location")
			replayed.open(t, strings.TrimPrefix(memento, s.url))
			replayed.picture(t, ts+"replayed"+slug(uri))
			got := evaluate[string](t, replayed, looks)
			replayed.contained(t)
			if err := chromedp.Do(plain.ctx, chromedp.Navigate(uri)); err != nil {
				t.Fatal(err)
			}
			plain.picture(t, ts+"plain"+slug(uri))
			want := evaluate[string](t, plain, looks)
			if len(want) < 500 {
				t.Fatalf("the page itself shows little: %s", want)
			}
			a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Errorf("replayed %.600s\n  itself %.600s", a[i], b[i])
				}
			}
			if len(a) != len(b) {
				t.Errorf("replayed %.300s\n  itself %.300s", got, want)
			}
		})
	}
}
