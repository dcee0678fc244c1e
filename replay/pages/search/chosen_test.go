package search_test

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/language"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// One chooses among the rankings of a collection; fields show as what they are; every search is exported.
func TestChosenRankingsAndExports(t *testing.T) {
	t.Parallel()
	page := func(date, path, votes, more string) replaytest.Record {
		body := "<!doctype html><title>Chair</title><main><p>A wooden chair" + more +
			".<p class=votes>" + votes + "</p><img class=photo src=/photo.png><a class=more href=/more>more</a></main>"
		return replaytest.Record{Date: date, URI: replaytest.Site + path, Status: 200, Body: body}
	}
	file := replaytest.Write(t, []replaytest.Record{
		page("20150101000000", "/few", "3", ", wooden, all wooden"), page("20150101000000", "/many", "9000", " that lasted"),
		page("20160101000000", "/many", "9000", ""),
	})
	set, err := fields.NewSet([]fields.Rule{{Fields: []fields.Field{
		{Name: "votes", CSS: ".votes", Type: fields.Number},
		{Name: "photo", CSS: ".photo", Type: fields.Image},
		{Name: "more", CSS: ".more", Type: fields.Link},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	popular, err := rank.New(rank.Settings{Boost: "1 + votes"}, nil, language.StopWords, set.Columns()...)
	if err != nil {
		t.Fatal(err)
	}
	settings := &answers.Settings{Rankings: map[string]*rank.Ranking{"": rank.Default(), "popular": popular}}
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	cfg := replaytest.Over(t, archive.Config{Index: x, Records: store}, searches.Config{
		Dir: filepath.Join(t.TempDir(), "search"), Fields: func(string) *fields.Set { return set },
		Settings: func(string) *answers.Settings { return settings },
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
	for target, want := range map[string]string{
		"/web/search?q=wooden": "/few", "/web/search?q=wooden&ranking=popular": "/many", "/-/search?q=wooden&ranking=popular": "/many",
		"/-/search?q=wooden&ranking=unknown": "/few", "/web/search?q=wooden&sort=-votes": "/many",
	} {
		var got replayed
		if err := json.Unmarshal(replaytest.Get(t, h, target).Body.Bytes(), &got); err != nil || len(got.Results) != 2 ||
			got.Results[0].OriginalURI != replaytest.Site+want {
			t.Errorf("%s: %+v, %v", target, got, err)
		}
	}
	if w := replaytest.Get(t, h, "/web/search?q=wooden&ranking=unknown"); w.Code != 400 || !strings.Contains(w.Body.String(), "popular") {
		t.Errorf("an unknown ranking: %d %s", w.Code, w.Body)
	}
	shown := replaytest.Get(t, h, "/web/search?q=wooden&ranking=popular", "Accept", "text/html").Body.String()
	for _, want := range []string{
		`aria-current="true"><bdi>popular</bdi>`, `<img class="value" src="/web/20160101000000im_/` + replaytest.Site + `/photo.png"`,
		`href="/web/20160101000000/` + replaytest.Site + `/more"`, "output=csv", "output=json", "ranking=popular",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for target, rows := range map[string]int{
		"/web/search?q=wooden&output=csv": 3, "/-/search?q=wooden&output=csv": 3, "/web/search?q=lasted&change=deleted&output=csv": 2,
		"/-/search?q=lasted&change=deleted&output=csv": 2,
	} {
		w := replaytest.Get(t, h, target, "Accept", "text/html")
		got, err := csv.NewReader(w.Body).ReadAll()
		if err != nil || len(got) != rows || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
			t.Errorf("%s: %d rows %v, %v", target, len(got), got, err)
		}
	}
	for _, target := range []string{"/web/search?q=wooden&output=json", "/web/search?q=lasted&change=deleted&output=json"} {
		if w := replaytest.Get(t, h, target, "Accept", "text/html"); !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %s", target, w.Body)
		}
	}
	if w := replaytest.Get(t, h, "/web/search?q=wooden&output=pdf"); w.Code != 400 {
		t.Errorf("an unknown output: %d", w.Code)
	}
}

// replayed is what the test reads of an answer.
type replayed struct {
	Results []struct {
		OriginalURI string `json:"original_uri"`
	}
}
