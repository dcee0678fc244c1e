package search_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

func TestResultsThatAreNoEditSaySo(t *testing.T) {
	h := replaytest.Searchable(t, []string{replaytest.Write(t, replaytest.Remarkable())}).Handler()
	for _, c := range []struct{ path, change, want, not string }{
		{"/edit", "deleted", "Gone", `class="note"`},
		{"/missing", "deleted", "after this the address answers that there is no such page", ""},
		{"/soft", "deleted", "after this it only says “not found”", ""},
		{"/moved", "deleted", "after this the address sends visitors elsewhere", ""},
		{"/empty", "deleted", "Nearly all text of the page was deleted at once", "scripts"},
		{"/app", "deleted", "hardly any text, but scripts", "Nearly all"},
		{"/edit", "added", "This is the first version that was archived", ""},
		{"/missing", "added", "The whole page was added: before this there was none", ""},
		{"/empty", "added", "Nearly all text of the page was added at once", ""},
	} {
		w := replaytest.Get(t, h, "/web/search?q=lakes&change="+c.change+"&matchType=exact&url="+replaytest.Site+c.path, "Accept", "text/html")
		body := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(body, c.want) || c.not != "" && strings.Contains(body, c.not) {
			t.Errorf("%s %s: %d, want %q and not %q in\n%s", c.change, c.path, w.Code, c.want, c.not, body)
		}
	}
}

// Edits must come before other changes, on the page as in the data.
func TestEditsComeFirst(t *testing.T) {
	h := replaytest.Searchable(t, []string{replaytest.Write(t, replaytest.Remarkable())}).Handler()
	body := replaytest.Get(t, h, "/web/search?change=deleted&q=lakes", "Accept", "text/html").Body.String()
	if edit, note := strings.Index(body, replaytest.Site+"/edit"), strings.Index(body, `class="note"`); edit < 0 || note < 0 || edit > note {
		t.Errorf("the edit stands at %d, the first remark at %d", edit, note)
	}
}

// A server without the search must show no search box, and say so when asked to search.
func TestServerWithoutSearchShowsNoSearchBox(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Remarkable()))
	for _, path := range []string{"/web/", "/web/*/" + replaytest.Site + "/edit", "/web/20150101000000/" + replaytest.Site + "/edit"} {
		if w := replaytest.Get(t, s.Handler(), path, "Accept", "text/html"); w.Code != http.StatusOK ||
			strings.Contains(w.Body.String(), "/web/search") || strings.Contains(w.Body.String(), "opensearch.xml") {
			t.Errorf("%s leads to a search: %d", path, w.Code)
		}
	}
	for _, path := range []string{"/web/search?change=deleted&q=lakes", "/web/terms"} {
		if w := replaytest.Get(t, s.Handler(), path); w.Code != http.StatusNotFound ||
			!strings.Contains(w.Body.String(), "no change-text search") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// Cached terms must be discarded when the search is built further.
func TestTermsFollowTheArchive(t *testing.T) {
	first, second := replaytest.Write(t, replaytest.Remarkable()[:2]), replaytest.Write(t, []replaytest.Record{
		{
			Date: "20150101000000", URI: replaytest.Site + "/more", Status: 200, Location: "",
			Body: replaytest.PageOf("More", "snow ice fog and rain in the valley") + "<p>Lakes and ponds.",
		},
		{
			Date: "20160101000000", URI: replaytest.Site + "/more", Status: 200, Location: "",
			Body: replaytest.PageOf("More", "snow ice fog and rain in the valley") + "<p>Ponds.",
		},
	})
	changes := func(s *replay.Server) string {
		body := replaytest.Get(t, s.Handler(), "/web/terms?format=csv").Body.String()
		for line := range strings.Lines(body) {
			if rest, ok := strings.CutPrefix(line, "lakes,"); ok {
				return rest[:1]
			}
		}
		return body
	}
	s := replaytest.Searchable(t, []string{first})
	for range 2 { // the second answer may come from a cache
		if got := changes(s); got != "1" {
			t.Fatalf("at first: %s", got)
		}
	}
	replaytest.Indexed(t, s, second)
	if got := changes(s); got != "2" {
		t.Errorf("then: %s", got)
	}
}
