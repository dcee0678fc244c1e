package search_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/replaytest"
)

// Without one file of the store, the search must still find what was in it, and count it. Only the snippets are missing, which it says.
func TestSearchNeedsNoRecords(t *testing.T) {
	far := "<p>" + strings.Repeat("other words ", 12) + "<p>acid rain apart and rain harms apart"
	file := replaytest.Write(t, []replaytest.Record{
		{
			Date: "20150101000000", URI: replaytest.Site + "/", Status: 200, Location: "",
			Body: "<title>Weather</title><p>here acid rain harms lakes" + far,
		},
		{
			Date: "20160101000000", URI: replaytest.Site + "/", Status: 200, Location: "",
			Body: "<title>Weather</title><p>here it harms ponds" + far,
		},
	})
	h := replaytest.Searchable(t, []string{file}).Handler()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string][2]int{"lakes": {1, 0}, `"rain harms lakes"`: {1, 0}, `"acid rain harms"`: {1, 0}} {
		w := replaytest.Get(t, h, "/web/search?change=deleted&q="+strings.ReplaceAll(q, " ", "+"))
		var list search.SearchList
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %v\n%s", q, w.Code, err, w.Body)
		}
		if list.Total != 1 || list.Untold != 0 || len(list.Results) != 1 {
			t.Errorf("%s: %d found, %d untold", q, list.Total, list.Untold)
			continue
		}
		r := list.Results[0]
		if got := [2]int{*r.Before.Count, *r.After.Count}; got != want || r.Title != "Weather" || len(r.Snippets) > 0 || !r.Unreadable {
			t.Errorf("%s: counts %v, title %q, snippets %v; want %v", q, got, r.Title, r.Snippets, want)
		}
	}
}
