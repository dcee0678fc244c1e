package replay_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/ingest"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/proxy"
)

// remarkable is an archive in which the word "lakes" goes and comes by one edit, and in each way that is no edit.
func remarkable() []record {
	acid := pageOf("Acid rain", "acid rain harms lakes forests fish soils and stone") + "<p>Lakes and ponds.</p>"
	empty := "<!doctype html><title>Acid rain</title><p>Soon here."
	at := func(date, path string, status int, location, body string) record {
		return record{date, site + path, status, location, body}
	}
	return []record{
		at("20150101000000", "/edit", 200, "", acid),
		at("20160101000000", "/edit", 200, "", strings.ReplaceAll(acid, "Lakes and ponds", "Ponds")),
		at("20150101000001", "/missing", 200, "", acid), at("20160101000001", "/missing", 404, "", "<title>Not found</title>"),
		at("20170101000001", "/missing", 200, "", acid),
		at("20150101000002", "/soft", 200, "", acid),
		at("20160101000002", "/soft", 200, "", "<title>404 Not Found</title><h1>404 Not Found</h1><p>The page was not found."),
		at("20150101000003", "/moved", 200, "", acid), at("20160101000003", "/moved", 301, "/edit", ""),
		at("20150101000004", "/empty", 200, "", acid), at("20160101000004", "/empty", 200, "", empty),
		at("20170101000004", "/empty", 200, "", acid),
		at("20150101000005", "/app", 200, "", acid),
		at("20160101000005", "/app", 200, "", "<!doctype html><title>Weather</title><div id=app>Loading …</div><script src=/app.js></script>"),
	}
}

func TestResultsThatAreNoEditSaySo(t *testing.T) {
	h := searchable(t, []string{write(t, remarkable())}).Handler()
	for _, c := range []struct{ path, change, want, not string }{
		{"/edit", "deleted", "Gone", `class="note"`},
		{"/missing", "deleted", "after this the address answers that there is no such page", ""},
		{"/soft", "deleted", "after this it only says “not found”", ""},
		{"/moved", "deleted", "after this the address sends visitors elsewhere", ""},
		{"/empty", "deleted", "Nearly all text of the page went at once", "scripts"},
		{"/app", "deleted", "hardly any text, but scripts", "Nearly all"},
		{"/edit", "added", "This is the first version that was archived", ""},
		{"/missing", "added", "The whole page came: before this there was none", ""},
		{"/empty", "added", "Nearly all text of the page came at once", ""},
	} {
		w := get(t, h, "/web/search?q=lakes&change="+c.change+"&matchType=exact&url="+site+c.path, "Accept", "text/html")
		body := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(body, c.want) || c.not != "" && strings.Contains(body, c.not) {
			t.Errorf("%s %s: %d, want %q and not %q in\n%s", c.change, c.path, w.Code, c.want, c.not, body)
		}
	}
}

// Edits must come before other changes, on the page as in the data.
func TestEditsComeFirst(t *testing.T) {
	h := searchable(t, []string{write(t, remarkable())}).Handler()
	body := get(t, h, "/web/search?q=lakes", "Accept", "text/html").Body.String()
	if edit, note := strings.Index(body, site+"/edit"), strings.Index(body, `class="note"`); edit < 0 || note < 0 || edit > note {
		t.Errorf("the edit stands at %d, the first remark at %d", edit, note)
	}
}

// A server without the search must show no search box, and say so when asked to search.
func TestServerWithoutSearchShowsNoSearchBox(t *testing.T) {
	s, _ := serverOf(t, write(t, remarkable()))
	for _, path := range []string{"/web/", "/web/*/" + site + "/edit", "/web/20150101000000/" + site + "/edit"} {
		if w := get(t, s.Handler(), path, "Accept", "text/html"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "/web/search") {
			t.Errorf("%s leads to a search: %d", path, w.Code)
		}
	}
	for _, path := range []string{"/web/search?q=lakes", "/web/terms"} {
		if w := get(t, s.Handler(), path); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "no change-text search") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// Cached terms must be discarded when the search is built further.
func TestTermsFollowTheArchive(t *testing.T) {
	first, second := write(t, remarkable()[:2]), write(t, []record{
		{"20150101000000", site + "/more", 200, "", pageOf("More", "snow ice fog and rain in the valley") + "<p>Lakes and ponds."},
		{"20160101000000", site + "/more", 200, "", pageOf("More", "snow ice fog and rain in the valley") + "<p>Ponds."},
	})
	changes := func(s *replay.Server) string {
		body := get(t, s.Handler(), "/web/terms?format=csv").Body.String()
		for line := range strings.Lines(body) {
			if rest, ok := strings.CutPrefix(line, "lakes,"); ok {
				return rest[:1]
			}
		}
		return body
	}
	s := searchable(t, []string{first})
	for range 2 { // the second answer may come from a cache
		if got := changes(s); got != "1" {
			t.Fatalf("at first: %s", got)
		}
	}
	indexed(t, s, second)
	if got := changes(s); got != "2" {
		t.Errorf("then: %s", got)
	}
}

// indexed adds a file to a server's index and updates its search.
func indexed(t *testing.T, s *replay.Server, path string) {
	t.Helper()
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: s.Archive().Index, Collection: "web"}, []string{path}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Archive().BuildSearch(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
}

// Through the proxy the banner must lead to the search as well. It is at varve.proxy and shows nothing archived.
func TestProxyBannerLinksToTheSearch(t *testing.T) {
	p := proxyOver(t, searchable(t, []string{write(t, remarkable())}), func(c *proxy.Config) { c.Datetime = 20150101000000 })
	const search = "http://varve.proxy/web/search?url=http%3A%2F%2Frain.example.org%2Fedit"
	if g := p.get(site+"/edit", clearNavigation...); !strings.Contains(g.body, `href="`+search+`&amp;matchType=exact"`) {
		t.Errorf("no link to the search in %s", g.body)
	}
	g := p.get(search+"&q=lakes", "Accept", "text/html")
	if g.StatusCode != http.StatusOK || !strings.Contains(g.body, "http://varve.proxy/web/diff?") || strings.Contains(g.body, "/web/animate") {
		t.Errorf("%d %s", g.StatusCode, g.body)
	}
}
