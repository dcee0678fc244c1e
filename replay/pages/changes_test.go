package pages_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// widest records the largest piece in which an answer was written.
type widest struct {
	*httptest.ResponseRecorder
	piece int
}

func (w *widest) Write(b []byte) (int, error) {
	w.piece = max(w.piece, len(b))
	return w.ResponseRecorder.Write(b)
}

// askChanges returns an answer of a server, and its largest piece.
func askChanges(t *testing.T, s *replay.Server, target string) (timeline.ChangeList, *widest) {
	t.Helper()
	w := &widest{ResponseRecorder: httptest.NewRecorder()}
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
	var list timeline.ChangeList
	if err := json.Unmarshal(w.Body.Bytes(), &list); w.Code != http.StatusOK || err != nil {
		t.Fatalf("%s: %d %v", target, w.Code, err)
	}
	return list, w
}

func TestManyChangesAreWrittenPieceByPiece(t *testing.T) {
	const n = 2000
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://example.org/": n, "http://example.org/one": 1})
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})})
	if err != nil {
		t.Fatal(err)
	}
	list, w := askChanges(t, s, "/web/changes?level=any&url=http://example.org/")
	if len(list.Ranges) != n || list.Captures != n || list.Range != nil || list.Versions != nil {
		t.Errorf("%d ranges of %d captures, range %v of %v", len(list.Ranges), list.Captures, list.Range, list.Versions)
	}
	if w.piece > 2*32<<10 {
		t.Errorf("%d of %d bytes written at once", w.piece, w.Body.Len())
	}
	if list, _ := askChanges(t, s, "/web/changes/http://example.org/one"); len(list.Ranges) != 1 {
		t.Errorf("of one capture: %+v", list)
	}
}

// The banner asks only for the versions around the page it shows, even if the page has a hundred thousand.
func TestChangesAroundADatetime(t *testing.T) {
	const n = 2000
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://example.org/": n})
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})})
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := askChanges(t, s, "/web/changes?level=text&url=http://example.org/")
	for _, c := range []struct {
		at            string
		rng, from, to int
	}{
		{"20100101050000", 5, 4, 7},
		{"20100101053000", 5, 4, 7},
		{"20100101", 0, 0, 2},
		{"1999", 0, 0, 2},
		{"2030", n - 1, n - 2, n},
	} {
		list, w := askChanges(t, s, "/web/changes?level=text&at="+c.at+"&url=http://example.org/")
		if list.Range == nil || *list.Range != c.rng || list.Versions == nil || *list.Versions != n || list.Captures != n {
			t.Errorf("at %s: range %v of %v", c.at, list.Range, list.Versions)
		}
		if len(list.Ranges) != c.to-c.from || list.Ranges[0].First != whole.Ranges[c.from].First {
			t.Errorf("at %s: %d ranges from %+v", c.at, len(list.Ranges), list.Ranges)
		}
		if w.Body.Len() > 2000 {
			t.Errorf("at %s: %d bytes", c.at, w.Body.Len())
		}
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/web/changes?at=soon&url=http://example.org/", nil))
	if w.Code != http.StatusBadRequest {
		t.Errorf("at=soon answers %d", w.Code)
	}
}
