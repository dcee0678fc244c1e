package search_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/replay/replaytest"
)

// Until the search has everything that was indexed, no answer claims that something is nowhere: each says that the search is being built.
func TestASearchThatIsBeingBuiltSaysSo(t *testing.T) {
	t.Parallel()
	s := replaytest.Searchable(t)
	h := s.Handler()
	add := func(path, text string) {
		t.Helper()
		file := replaytest.Write(t, []replaytest.Record{{
			Date: "20150101000000", URI: replaytest.Site + path, Status: 200, Body: replaytest.Paragraphs(text),
		}})
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: s.Archive().Index.Whole, Collection: "web"}, []string{file}); err != nil {
			t.Fatal(err)
		}
	}
	build := func() {
		t.Helper()
		if _, err := s.Searches().Build(t.Context(), "web", false, nil); err != nil {
			t.Fatal(err)
		}
	}
	check := func(when string, building bool) {
		t.Helper()
		for _, target := range []string{
			"/web/search?q=kingfisher+gauge", "/web/search?q=kingfisher+gauge&change=deleted", "/-/search?q=kingfisher+gauge",
			"/web/search?q=kingfisher+gauge&url=" + replaytest.Site + "&change=added", "/web/terms", "/-/search?q=kingfisher&change=added",
		} {
			var got struct {
				Note  string
				Index struct{ Building bool }
			}
			w := replaytest.Get(t, h, target, "Accept", "application/json")
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatalf("%s: %d %s", target, w.Code, w.Body)
			}
			if got.Index.Building != building || strings.Contains(got.Note, "being built") != (building && !strings.Contains(target, "terms")) {
				t.Errorf("%s: %s: %+v", when, target, got)
			}
			if strings.HasPrefix(target, "/-/") && strings.Contains(target, "change=") {
				continue // that has no page
			}
			page := replaytest.Get(t, h, target, "Accept", "text/html").Body.String()
			if strings.Contains(page, "being built") != building {
				t.Errorf("%s: %s: the page says that it is being built: %v", when, target, !building)
			}
			if building && strings.Contains(page, "No version of any page") {
				t.Errorf("%s: %s: the page claims that it is nowhere", when, target)
			}
		}
		w := replaytest.Get(t, h, "/-/readyz")
		if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "search is still being built") != building {
			t.Errorf("%s: ready: %d %s", when, w.Code, w.Body)
		}
	}
	add("/a", "A river gauge of 1996.")
	check("before it was built", true)
	build()
	check("built", false)
	add("/b", "A kingfisher.")
	check("before it was brought up to date", true)
	build()
	check("up to date", false)
}
