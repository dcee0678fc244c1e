package calendar_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
	"github.com/varve-archive/varve/memento"
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

func TestParametersOfChanges(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Counted()))
	for _, tt := range []struct {
		query  string
		status int
	}{
		{"", 200}, {"&at=2012", 200}, {"&level=text", 200}, {"&at=then", 400}, {"&level=most", 400},
	} {
		w := replaytest.Get(t, s.Handler(), "/web/changes?url="+replaytest.CountedPage+tt.query)
		if w.Code != tt.status || tt.status == 200 && (!json.Valid(w.Body.Bytes()) || w.Header().Get("Content-Type") != "application/json") {
			t.Errorf("%s: %d %v\n%s", tt.query, w.Code, w.Header(), w.Body)
		}
		if read := w.Header().Get("Access-Control-Allow-Origin") == "*"; tt.status == 200 && !read {
			t.Errorf("%s: other sites may not read it: %v", tt.query, w.Header())
		}
		head := replaytest.At(s.Handler(), "HEAD", replaytest.Loopback, "/web/changes?url="+replaytest.CountedPage+tt.query, "")
		if head.Code != tt.status || head.Body.Len() > 0 || head.Header().Get("Content-Type") != w.Header().Get("Content-Type") {
			t.Errorf("HEAD %s: %d %v with %d bytes", tt.query, head.Code, head.Header(), head.Body.Len())
		}
	}
	if w := replaytest.Get(t, s.Handler(), "/web/changes?url=http://never.example/"); w.Code != 404 {
		t.Errorf("of what was never captured: %d", w.Code)
	}
}

func TestTimeMapsForPeopleNameTheirNeighbours(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, nil)
	archivetest.PutBare(t, x, "http://example.org/", memento.PageSize+3, 0, 0)
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})})
	if err != nil {
		t.Fatal(err)
	}
	const first, second = `href="/web/timemap/html/http://example.org/"`, `href="/web/timemap/html/2/http://example.org/"`
	for _, tt := range []struct {
		path         string
		prev, next   bool
		rows         int
		otherFormats string
	}{
		{"/web/timemap/html/http://example.org/", false, true, memento.PageSize, "/web/timemap/json/http://example.org/"},
		{"/web/timemap/html/2/http://example.org/", true, false, 3, "/web/timemap/json/2/http://example.org/"},
	} {
		w := replaytest.Get(t, s.Handler(), tt.path, "Accept", "text/html")
		body := w.Body.String()
		if w.Code != 200 || strings.Contains(body, first) != tt.prev || strings.Contains(body, second) != tt.next ||
			!strings.Contains(body, tt.otherFormats) {
			t.Errorf("%s: %d %.2000s", tt.path, w.Code, body)
		}
		if rows := strings.Count(body, "image/png"); rows != tt.rows {
			t.Errorf("%s: %d rows, want %d", tt.path, rows, tt.rows)
		}
		if !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %v", tt.path, w.Header())
		}
	}
}

// A TimeMap for people that can't be read to its end breaks off, and the log says why.
func TestTimeMapsForPeopleBreakOff(t *testing.T) {
	faulty := kvtest.NewFaulty(kvtest.NewMemory())
	x, err := index.New(t.Context(), faulty)
	if err != nil {
		t.Fatal(err)
	}
	archivetest.PutBare(t, x, "http://example.org/", 30, 0, 0)
	var log logbuffer.Buffer
	brokeOff := 0
	for step := 1; ; step++ {
		a := replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}, Log: log.Logger()})
		s, err := replay.New(replay.Config{Archive: a})
		if err != nil {
			t.Fatal(err)
		}
		faulty.FailAt(step)
		func() {
			defer func() {
				if p := recover(); p != nil {
					brokeOff++
				}
			}()
			replaytest.Get(t, s.Handler(), "/web/timemap/html/http://example.org/", "Accept", "text/html")
		}()
		steps := len(faulty.Steps())
		faulty.FailAt(0)
		if steps < step {
			break
		}
	}
	if said := log.String(); brokeOff == 0 || strings.Count(said, "answer broke off") != brokeOff || strings.Contains(said, "<nil>") {
		t.Errorf("it broke off %d times: %s", brokeOff, said)
	}
}

// A calendar says how many versions there are at each level, and leads to the calendars of the others.
func TestVersionsAtEachLevel(t *testing.T) {
	page := func(date, nav, text string) replaytest.Record {
		return replaytest.Record{
			Date: date, URI: "http://a.example/", Status: 200,
			Body: strings.Replace(replaytest.PageOf("Mill", text), "<nav>", "<nav><a href=/x>"+nav+"</a>", 1),
		}
	}
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		page("20150101000000", "one", "weir lock"), page("20160101000000", "two", "weir lock"), page("20170101000000", "two", "tannery museum"),
	}))
	counts, tags := regexp.MustCompile(`<span class="levels[^>]*>(.*?)</span>`), regexp.MustCompile(`</?b>|&amp;url=[^"]*|</a>`)
	for level, want := range map[string]string{
		"content": `2 versions by content ·  <a href="/web/?level=text">3 by text`,
		"text":    `<a href="/web/*/http://a.example">2 versions by content ·  3 by text`,
		"any":     `<a href="/web/*/http://a.example">2 versions by content ·  <a href="/web/?level=text">3 by text ·  3 by any byte`,
	} {
		body := replaytest.Get(t, s.Handler(), "/web/?url=a.example&on=2015&level="+level, "Accept", "text/html").Body.String()
		m := counts.FindStringSubmatch(body)
		if m == nil || strings.TrimSpace(tags.ReplaceAllString(m[1], "")) != want {
			t.Errorf("%s: %q", level, m)
		}
	}
}
