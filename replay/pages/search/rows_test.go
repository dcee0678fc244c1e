package search_test

import (
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

// Where a template reads rows, each row is a result: found by its own values and words, sorted and exported by them.
func TestRowsAreResults(t *testing.T) {
	t.Parallel()
	list := func(path, title string, rows ...string) replaytest.Record {
		body := "<!doctype html><title>" + title + "</title><main><h1>Offers of the week</h1><ul>"
		for _, r := range rows {
			name, price, _ := strings.Cut(r, "=")
			body += "<li><b>" + name + "</b>"
			if price != "" {
				body += " <i>" + price + "</i>"
			}
		}
		return replaytest.Record{Date: "20150101000000", URI: replaytest.Site + path, Status: 200, Body: body + "</ul></main>"}
	}
	file := replaytest.Write(t, []replaytest.Record{
		list("/one", "Chairs", "oak chair=30", "oak table=90", "willow basket", "pine chair=12"),
		list("/two", "More", "iron lamp=15", "oak lamp=45"),
	})
	set, err := fields.NewSet([]fields.Rule{{Each: "li", Fields: []fields.Field{
		{Name: "item", CSS: "b"}, {Name: "price", CSS: "i", Type: fields.Number},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	cfg := replaytest.Over(t, archive.Config{Index: x, Records: store}, searches.Config{
		Dir: filepath.Join(t.TempDir(), "search"), Fields: func(string) *fields.Set { return set },
	})
	t.Cleanup(func() {
		_ = cfg.Searches.Close()
		store.Close()
	})
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{file}); err != nil {
		t.Fatal(err)
	}
	if _, err := cfg.Searches.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	s, err := replay.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	h := s.Handler()
	for query, want := range map[string]string{
		"q=oak&sort=price":                        "3: one/1 two/2 one/2",
		"q=oak&sort=-price&limit=2":               "3: one/2 two/2",
		"q=oak&sort=-price&limit=2&page=2":        "3: one/1",
		"q=oak+chair&sort=price":                  "4: one/4 one/1 two/2 one/2",
		"q=price:..20&sort=price":                 "2: one/4 two/1",
		"q=oak+price:..50&sort=price":             "2: one/1 two/2",
		"q=item:chair&sort=price":                 "2: one/4 one/1",
		"q=item:basket":                           "1: one/3",
		"q=item:chair+-item:oak":                  "1: one/4",
		"q=%22offers+of+the+week%22&sort=newest":  "2: two one",
		"q=item:oak+price:10..20":                 "0:",
		"q=chair&url=" + replaytest.Site + "/two": "0:",
	} {
		var got struct {
			Total   int
			Results []struct {
				OriginalURI string `json:"original_uri"`
				Row         int
			}
		}
		w := replaytest.Get(t, h, "/web/search?"+query)
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatalf("%s: %d %s", query, w.Code, w.Body)
		}
		said := fmt.Sprintf("%d:", got.Total)
		for _, r := range got.Results {
			said += " " + strings.TrimPrefix(r.OriginalURI, replaytest.Site+"/")
			if r.Row > 0 {
				said += fmt.Sprint("/", r.Row)
			}
		}
		if said != want {
			t.Errorf("%s: %s, want %s", query, said, want)
		}
	}
	table := replaytest.Get(t, h, "/web/search?q=price:..20&sort=price&output=csv").Body.String()
	if !strings.Contains(table, "score,row,item,price") || !strings.Contains(table, ",4,pine chair,12") {
		t.Errorf("the table is\n%s", table)
	}
	if page := replaytest.Get(t, h, "/web/search?q=price:..20", "Accept", "text/html").Body.String(); !strings.Contains(page, "row 4") {
		t.Error("the page names no row")
	}
}
