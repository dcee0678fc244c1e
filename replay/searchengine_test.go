package replay_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/internal/testkit/opensearchtest"
	"github.com/varve-archive/varve/replay/replaytest"
)

// searching are the paths that ask the search.
var searching = []string{
	"/{coll}/search", "/{coll}/terms", "/{coll}/suggest", "/{coll}/feed", "/-/search", "/-/suggest",
	"/{coll}/opensearch.xml",
}

// A server whose search is in OpenSearch answers as one that has it in a folder and has never seen what is excluded: word
// for word, as pages and as JSON, with all counts. When the engine is away only searches are refused.
func TestSearchInAnEngine(t *testing.T) {
	node := opensearchtest.Start(t, opensearchtest.OpenSearch)
	engine, err := opensearch.New(node.URL)
	if err != nil {
		t.Fatal(err)
	}
	with, policy := guardedIn(t, append(shown(), hidden()...), hiddenRules, searches.Config{Engine: engine, By: "test"})
	without, _ := guarded(t, shown(), "")
	asked := 0
	same := func(when string, uris ...string) {
		t.Helper()
		for _, uriR := range uris {
			for path, targets := range routes(uriR) {
				if !slices.Contains(searching, path) {
					continue
				}
				for _, target := range targets {
					for _, accept := range []string{"text/html", "application/json"} {
						asked++
						got, want := said(with.Handler(), target, accept), said(without.Handler(), target, accept)
						if got != want {
							t.Errorf("%s: %s as %s:\n%s", when, target, accept, replaytest.FirstDifference(got, want))
						}
					}
				}
			}
		}
	}
	same("under rules", datedPage, freePage)
	found := func(word string) bool {
		return strings.Contains(request(with.Handler(), "GET", "/web/search?q="+word).Body.String(), `"total":1`)
	}
	build := func() {
		t.Helper()
		if _, err := with.Searches().Build(t.Context(), "web", false, nil); err != nil {
			t.Fatal(err)
		}
	}
	put(t, policy, "rules: []")
	build()
	if !found("zeppelin") {
		t.Error("without rules it isn't found, so this shows nothing")
	}
	put(t, policy, hiddenRules)
	if w := request(with.Handler(), "GET", "/web/search?q=zeppelin"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("under new rules, before it is built: %d %s", w.Code, w.Body)
	}
	build()
	same("under rules again", secretPage)
	if asked < 50 {
		t.Errorf("only %d requests", asked)
	}
	if body := request(with.Handler(), "GET", "/-/readyz").Body.String(); body != "ready\n" {
		t.Errorf("ready: %q", body)
	}
	node.Kill()
	w := request(with.Handler(), "GET", "/web/search?q=mill")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "search engine") {
		t.Errorf("away: %d %v %s", w.Code, w.Header(), w.Body)
	}
	for _, target := range []string{"/web/timemap/link/" + freePage, "/web/" + freePage, "/web/changes?url=" + freePage, "/"} {
		if w := request(with.Handler(), "GET", target); w.Code >= http.StatusBadRequest {
			t.Errorf("away: %s: %d %s", target, w.Code, w.Body)
		}
	}
	if w := request(with.Handler(), "GET", "/-/readyz"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "but for the search") {
		t.Errorf("away: ready: %d %q", w.Code, w.Body)
	}
}
