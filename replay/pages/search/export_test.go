package search_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A table and JSON have every row, also those of pages behind the best 1,000, once.
func TestAllRowsAreExported(t *testing.T) {
	t.Parallel()
	const pages = 1200
	var list []replaytest.Typed
	for i := range pages {
		list = append(list, replaytest.Typed{
			Date: "20150101000000", URI: fmt.Sprintf("http://shop.example/%d", i), Kind: "text/html",
			Body: fmt.Sprintf("<main><p>wooden number%d<ul><li><b>%d</b> chair<li><b>%d</b> chair</ul></main>", i, i, i+pages),
		})
	}
	set, err := fields.NewSet([]fields.Rule{{Each: "li", Fields: []fields.Field{{Name: "item", CSS: "b", Type: fields.Number}}}})
	if err != nil {
		t.Fatal(err)
	}
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{replaytest.WriteTyped(t, list)}); err != nil {
		t.Fatal(err)
	}
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	cfg := replaytest.Over(t, archive.Config{Index: x, Records: store}, searches.Config{
		Dir: filepath.Join(t.TempDir(), "search"), Fields: func(string) *fields.Set { return set },
	})
	t.Cleanup(func() {
		_ = cfg.Searches.Close()
		store.Close()
	})
	if _, err := cfg.Searches.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	s, err := replay.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range []string{"/web/search?q=item:0..", "/web/search?q=item:0..+wooden+nothing"} {
		rows, err := csv.NewReader(replaytest.Get(t, s.Handler(), ask+"&output=csv").Body).ReadAll()
		items := map[string]bool{}
		for _, row := range rows[1:] {
			items[row[len(row)-4]] = true
		}
		if err != nil || len(rows) != 2*pages+1 || len(items) != 2*pages {
			t.Errorf("%s: %d rows of %d items, %v", ask, len(rows), len(items), err)
		}
		var all struct {
			Q             string
			Total, Untold int
			Results       []struct{ Fields map[string]float64 }
		}
		w := replaytest.Get(t, s.Handler(), ask+"&output=json")
		if err := json.Unmarshal(w.Body.Bytes(), &all); err != nil || all.Total != 2*pages || len(all.Results) != 2*pages ||
			all.Untold != 0 || all.Results[7].Fields == nil || all.Q == "" {
			t.Errorf("%s: %d of %d results, %d untold, %v\n%.300s", ask, len(all.Results), all.Total, all.Untold, err, w.Body)
		}
	}
	var some struct{ Results []any }
	w := replaytest.Get(t, s.Handler(), "/web/search?q=item:0..&output=json&limit=3")
	if err := json.Unmarshal(w.Body.Bytes(), &some); err != nil || len(some.Results) != 3 {
		t.Errorf("with a limit: %d results, %v", len(some.Results), err)
	}
	if w := replaytest.Get(t, s.Handler(), "/web/search?q=nothing&output=json"); json.Unmarshal(w.Body.Bytes(), &some) != nil ||
		len(some.Results) != 0 {
		t.Errorf("nothing: %s", w.Body)
	}
}

// Each search is exported as a table and as JSON: all of it, or a page. Over all collections each row says where it is from.
func TestEverySearchIsExported(t *testing.T) {
	t.Parallel()
	s := shops(t)
	for _, test := range []struct {
		ask, first string // the name of the first column
		rows       int
	}{
		{"/web/search?q=wooden", "url", 3},
		{"/web/search?q=wooden&limit=2&page=2", "url", 1},
		{"/web/search?q=wooden&change=added", "url", 3},
		{"/web/search?q=wooden&change=added&limit=2", "url", 2},
		{"/web/search?q=wooden&change=deleted", "url", 0},
		{"/-/search?q=wooden", "collection", 4},
		{"/-/search?q=wooden&limit=3", "collection", 3},
		{"/-/search?q=wooden&collection=old", "collection", 1},
		{"/-/search?q=wooden&change=added", "collection", 4},
		{"/-/search?q=wooden&change=added&limit=3&page=2", "collection", 1},
		{"/-/search?q=nothing", "collection", 0},
	} {
		rows, err := csv.NewReader(replaytest.Get(t, s.Handler(), test.ask+"&output=csv").Body).ReadAll()
		if err != nil || len(rows) != 1+test.rows || rows[0][0] != test.first {
			t.Errorf("%s: %d rows, %v: %q", test.ask, len(rows), err, rows)
		}
		var all struct {
			Total   *int
			Page    int
			Change  string
			Totals  map[string]int
			Results []struct {
				Collection string
				URI        string `json:"original_uri"`
			}
			Facets map[string]any
		}
		w := replaytest.Get(t, s.Handler(), test.ask+"&output=json")
		if err := json.Unmarshal(w.Body.Bytes(), &all); err != nil || len(all.Results) != test.rows || all.Total == nil ||
			*all.Total < test.rows || all.Page == 0 || all.Change == "" || all.Facets == nil {
			t.Fatalf("%s: %v\n%s", test.ask, err, w.Body)
		}
		for i, r := range all.Results {
			if in := r.Collection != ""; in != (test.first == "collection") || r.URI == "" {
				t.Errorf("%s: result %d is in %q: %s", test.ask, i, r.Collection, r.URI)
			}
		}
		if test.ask == "/web/search?q=wooden&change=deleted" && all.Totals["added"] != 3 {
			t.Errorf("of other kinds: %v", all.Totals)
		}
	}
	for ask, want := range map[string]string{
		"/web/search?q=wooden": "web", "/-/search?q=wooden": "search", "/web/search?q=wooden&change=added": "web-added",
		"/-/search?q=wooden&change=deleted": "deleted",
	} {
		w := replaytest.Get(t, s.Handler(), ask+"&output=csv")
		if name := w.Header().Get("Content-Disposition"); name != "attachment; filename="+want+".csv" {
			t.Errorf("%s is saved as %q, want %s.csv", ask, name, want)
		}
	}
	for ask, want := range map[string]int{"/-/search?q=wooden": 1, "/web/search?q=wooden": 0} {
		page := replaytest.Get(t, s.Handler(), ask, "Accept", "text/html").Body.String()
		if got := strings.Count(page, `class="tag" href="/old/"`); got != want {
			t.Errorf("%s: %d results name the collection, want %d", ask, got, want)
		}
	}
	for ask, want := range map[string]bool{"&collection=old": true, "&domain=old.example": true, "&from=2009&to=2009": true, "": false} {
		page := replaytest.Get(t, s.Handler(), "/-/search?q=wooden"+ask, "Accept", "text/html").Body.String()
		if got := strings.Contains(page, `href="/-/search?q=wooden" aria-current="true" title="lift`); got != want {
			t.Errorf("%s: what was chosen can be taken back: %t", ask, got)
		}
	}
	if w := replaytest.Get(t, s.Handler(), "/web/search?q=wooden&ranking=none&output=csv"); w.Code != 400 {
		t.Errorf("an unknown ranking: %d", w.Code)
	}
}
