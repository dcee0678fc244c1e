package search_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
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

// A changing writer does something before each write.
type changing struct {
	*httptest.ResponseRecorder
	before func()
}

func (c *changing) Write(b []byte) (int, error) {
	c.before()
	return c.ResponseRecorder.Write(b)
}

// Fields that a build has while a table is sent are not those of its head.
func TestColumnsOfATableStay(t *testing.T) {
	var list []replaytest.Typed
	for i := range 230 { // more than are sent at once
		list = append(list, replaytest.Typed{
			Date: "20150101000000", URI: fmt.Sprintf("http://shop.example/%d", i), Kind: "text/html", Body: fmt.Sprintf("<p>wooden %d", i),
		})
	}
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{replaytest.WriteTyped(t, list)}); err != nil {
		t.Fatal(err)
	}
	var now atomic.Pointer[fields.Set]
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	cfg := replaytest.Over(t, archive.Config{Index: x, Records: store}, searches.Config{
		Dir: filepath.Join(t.TempDir(), "search"), Fields: func(string) *fields.Set { return now.Load() },
	})
	t.Cleanup(func() {
		_ = cfg.Searches.Close()
		store.Close()
	})
	s, err := replay.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cfg.Searches.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	set, err := fields.NewSet([]fields.Rule{{Fields: []fields.Field{{Name: "price", CSS: "p"}}}})
	if err != nil {
		t.Fatal(err)
	}
	w := &changing{httptest.NewRecorder(), sync.OnceFunc(func() {
		now.Store(set)
		if _, err := cfg.Searches.Build(t.Context(), "web", false, nil); err != nil {
			t.Error(err)
		}
	})}
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/web/search?q=wooden&output=csv", nil))
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || len(rows) != len(list)+1 || len(rows[0]) != 11 {
		t.Errorf("%d rows: %v", len(rows), err)
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Remarkable()).Ask(
		"/web/search?q=lakes", "/web/search?q=lakes&change=deleted", "/-/search?q=lakes&change=added",
		"/web/search?q=lakes&change=deleted&output=csv", "/web/search?q=ponds&change=semi-deleted", "/web/suggest?q=rain",
	)
}
