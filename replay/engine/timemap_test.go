package engine_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A page of a TimeMap begins where the previous one ends, even within a second, and must read nothing before that.
func TestTimeMapPageReadsFromItsFirstMemento(t *testing.T) {
	const n = 3*memento.PageSize + 40
	for name, run := range map[string][2]int{
		"a second each":                       {0, 0},
		"a page that begins within a second":  {memento.PageSize - 5, memento.PageSize + 5},
		"a second that has a page and more":   {memento.PageSize + 5, 2*memento.PageSize + 50},
		"a page that begins with such second": {2 * memento.PageSize, 2*memento.PageSize + 7},
	} {
		t.Run(name, func(t *testing.T) {
			x, reads := archivetest.CountedIndex(t, nil)
			archivetest.PutBare(t, x, "http://example.org/", n, run[0], run[1])
			s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})})
			if err != nil {
				t.Fatal(err)
			}
			next := 0
			for page := 1; page <= 4; page++ {
				reads.Reset()
				w := httptest.NewRecorder()
				s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, fmt.Sprintf("/web/timemap/link/%d/http://example.org/", page), nil))
				for _, line := range strings.Split(w.Body.String(), "\n") {
					if !strings.Contains(line, `memento";`) {
						continue
					}
					if !strings.Contains(line, fmt.Sprintf("?n=%d>", next)) {
						t.Fatalf("page %d: want ?n=%d, got %s", page, next, line)
					}
					next++
				}
				if most := int64(memento.PageSize + (run[1] - run[0]) + 10); reads.Values.Load() > most {
					t.Errorf("page %d: %d captures read", page, reads.Values.Load())
				}
			}
			if next != n {
				t.Errorf("%d mementos on the pages, want %d", next, n)
			}
		})
	}
}
