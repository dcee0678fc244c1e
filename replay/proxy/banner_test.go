package proxy_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/replay/replaytest"
)

var bannerElement = regexp.MustCompile(`(?s)<!-- BEGIN WAYBACK TOOLBAR INSERT ` +
	`-->(<varve-banner>.*</varve-banner>|(<script src="[^"]*/-/static/[^>]*></script>)+)` +
	`<!-- END WAYBACK TOOLBAR INSERT -->`)

// Pages must get the banner, and nothing else may be rewritten.
func TestProxyAddsTheBannerAndNothingElse(t *testing.T) {
	p := proxyOf(t, nil)
	for _, uriR := range []string{town, history, town + "fa/", town + "events", town + "birds/", town + "gauge.html"} {
		g := p.get(uriR, clearNavigation...)
		if !bannerElement.MatchString(g.body) {
			t.Errorf("%s has no banner", uriR)
		}
		where := strings.Split(g.Header.Get("Content-Location"), "/web/")[1]
		if want := p.captured(where[:14], where[15:]); bannerElement.ReplaceAllString(g.body, "") != want {
			t.Errorf("%s: without its banner it is not what was archived", uriR)
		}
	}
}

func TestOnlyReadersGetTheBanner(t *testing.T) {
	p := proxyOf(t, nil)
	for _, c := range []struct {
		name   string
		header []string
		want   bool
	}{
		{"a navigation in clear", clearNavigation, true},
		{"a navigation over TLS", navigationFrom("none"), true},
		{"a client that says nothing", nil, true},
		{"a frame", []string{"Accept", "text/html", "Sec-Fetch-Dest", "iframe", "Upgrade-Insecure-Requests", "1"}, false},
		{"a script over TLS", []string{"Sec-Fetch-Dest", "empty", "Accept", "*/*"}, false},
		{"a script in clear", []string{"Referer", town, "Accept", "*/*"}, false},
		{"a script that says so", []string{"X-Requested-With", "XMLHttpRequest", "Accept", "text/html"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 2 { // the second answer may come from a cache
				if g := p.get(history, c.header...); g.StatusCode != 200 || strings.Contains(g.body, "<varve-banner>") != c.want {
					t.Errorf("%d, banner %v", g.StatusCode, !c.want)
				}
			}
		})
	}
	bare := proxyOver(t, p.server, func(c *proxy.Config) { c.Banner = false })
	if g := bare.get(history, clearNavigation...); strings.Contains(g.body, "<varve-banner>") {
		t.Error("a banner in spite of the configuration")
	}
}

// The banner is of one capture, and the address of the page is that of all.
func TestABannerIsNeverTakenFromTheBrowsersCache(t *testing.T) {
	const uriR, modified = "http://a.example/", "Sun, 31 Dec 2017 00:00:00 GMT"
	p := proxyOf(t, nil, replaytest.Message(t, uriR, "Content-Type: text/html\r\nLast-Modified: "+modified+"\r\n", "<!doctype html><p>a"))
	header := append([]string{"If-Modified-Since", modified}, clearNavigation...)
	for n := range 2 { // the second answer may come from a cache
		if g := p.get(uriR, header...); g.StatusCode != 200 || !strings.Contains(g.body, "<varve-banner>") {
			t.Errorf("answer %d: %d", n+1, g.StatusCode)
		}
	}
}

// A client that goes back in time has a later capture of the address, which is no answer for an earlier datetime.
func TestNoCaptureIsTakenFromAClientsCacheByItsDate(t *testing.T) {
	const uriR, late = "http://a.example/a.txt", "Sun, 01 Feb 2015 00:00:00 GMT"
	message := func(modified, body string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nLast-Modified: " + modified + "\r\n\r\n" + body
	}
	p := proxyOf(t, nil, replaytest.WriteVerbatim(t, []replaytest.Verbatim{
		{Date: "20100301000000", URI: uriR, Message: message("Mon, 01 Feb 2010 00:00:00 GMT", "first")},
		{Date: "20150301000000", URI: uriR, Message: message(late, "second")},
	}))
	for ts, want := range map[string]string{"20100301000000": "first", "20150301000000": "second"} {
		g := p.get(uriR, "Accept-Datetime", acceptDatetime(ts), "If-Modified-Since", late)
		if g.StatusCode != 200 || g.body != want {
			t.Errorf("%s: %d %q, want %q", ts, g.StatusCode, g.body, want)
		}
		if g := p.get(uriR, "Accept-Datetime", acceptDatetime(ts), "If-None-Match", g.Header.Get("Etag")); g.StatusCode != 304 {
			t.Errorf("%s: by its tag: %d", ts, g.StatusCode)
		}
	}
}

// A leaver leaves when the answer begins.
type leaver struct {
	*httptest.ResponseRecorder
	leave context.CancelFunc
}

func (l leaver) WriteHeader(status int) {
	l.leave()
	l.ResponseRecorder.WriteHeader(status)
}

// A reader who leaves while the page is made leaves the next one no page without a banner.
func TestNoPageWithoutItsBannerIsKept(t *testing.T) {
	s, _ := replaytest.Serve(t)
	p, err := s.NewProxy(proxy.Config{Dir: t.TempDir(), ServerURL: "http://archive.test", Collection: "web", Banner: true})
	if err != nil {
		t.Fatal(err)
	}
	get := func(leaves bool) string {
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", history, nil).WithContext(ctx)
		if leaves {
			func() {
				defer func() {
					if aborted := recover(); aborted != http.ErrAbortHandler {
						t.Errorf("a page without its banner looks whole: %v", aborted)
					}
				}()
				p.ServeHTTP(leaver{w, leave}, r)
			}()
		} else {
			p.ServeHTTP(w, r)
		}
		return w.Body.String()
	}
	if gone := get(true); strings.Contains(gone, "<varve-banner>") {
		t.Fatal("the banner was made before the reader left")
	}
	if page := get(false); !strings.Contains(page, "<varve-banner>") {
		t.Error("the next reader gets no banner")
	}
}

// Readers who reach a captured redirect get its landing page.
func TestProxyShowsLandingPagesToReaders(t *testing.T) {
	p := proxyOf(t, func(c *proxy.Config) { c.Datetime = 20180101000001 }, replaytest.Write(t, replaytest.Moved()))
	const acid = replaytest.Site + "/acid"
	for _, c := range []struct {
		name   string
		header []string
		reader bool
	}{
		{"a navigation in clear", clearNavigation, true},
		{"a navigation over TLS", navigationFrom("none"), true},
		{"a client that says nothing", nil, false},
		{"a frame", []string{"Accept", "text/html", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := p.get(acid, c.header...)
			if !c.reader {
				if g.StatusCode != 301 || g.Header.Get("Location") != "/topics/acid-rain" || g.Header.Get("Memento-Datetime") == "" {
					t.Errorf("%d to %s, want the captured answer", g.StatusCode, g.Header.Get("Location"))
				}
				return
			}
			to := g.Header.Get("Location")
			if g.StatusCode != 302 || !strings.HasPrefix(to, proxySite+"/web/landing?") {
				t.Fatalf("%d to %s, want a landing page", g.StatusCode, to)
			}
			if page := p.get(to, clearNavigation...); page.StatusCode != 200 || !strings.Contains(page.body, "/topics/acid-rain") {
				t.Errorf("the landing page: %d %.300s", page.StatusCode, page.body)
			}
			skipped := p.get(to, append([]string{"Cookie", "varve-go=rain.example.org"}, clearNavigation...)...)
			if skipped.StatusCode != 302 || skipped.Header.Get("Location") != replaytest.Site+"/topics/acid-rain" {
				t.Errorf("a reader who wants no landing pages: %d to %s", skipped.StatusCode, skipped.Header.Get("Location"))
			}
		})
	}
	if g := p.get(replaytest.Site+"/secure", clearNavigation...); g.StatusCode != 200 {
		t.Errorf("a redirect to the same SURT: %d, want what it leads to", g.StatusCode)
	}
	bare := proxyOver(t, p.server, func(c *proxy.Config) { c.Banner, c.Datetime = false, 20180101000001 })
	if g := bare.get(acid, clearNavigation...); g.StatusCode != 301 {
		t.Errorf("without banner: %d", g.StatusCode)
	}
}

func TestProxyShowsTheMissingPageToReaders(t *testing.T) {
	p := proxyOf(t, nil)
	g := p.get(town+"historie.html", clearNavigation...)
	if g.StatusCode != 404 || !strings.Contains(g.body, `href="`+history+`"`) {
		t.Errorf("%d, the page does not lead to %s:\n%.3000s", g.StatusCode, history, g.body)
	}
	if policy := g.Header.Get("Content-Security-Policy"); strings.Contains(policy, "'self'") ||
		!strings.Contains(policy, "style-src "+proxySite) {
		t.Errorf("its style stands at varve.proxy, its policy says %s", policy)
	}
	if g := p.get(town + "historie.html"); g.StatusCode != 404 || strings.Contains(g.body, "<html") || strings.Count(g.body, "\n") != 1 {
		t.Errorf("others get a line: %d %.300s", g.StatusCode, g.body)
	}
}
