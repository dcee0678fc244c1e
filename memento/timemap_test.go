package memento

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/golden"
)

type writer struct {
	format string
	write  func(io.Writer, iter.Seq2[*cdx.Capture, error], *TimeMapInfo) error
}

var writers = []writer{{"link", WriteLink}, {"json", WriteJSON}, {"cdxj", WriteCDXJ}}

// series yields n captures a day apart, beginning with number skip, all in the same variable.
func series(skip, n int, url string) iter.Seq2[*cdx.Capture, error] {
	start := time.Date(2001, 1, 1, 12, 0, 0, 0, time.UTC)
	return func(yield func(*cdx.Capture, error) bool) {
		c := cdx.Capture{URL: url, Status: 200}
		for i := skip; i < skip+n; i++ {
			c.Time = cdx.FromTime(start.Add(time.Duration(i) * 24 * time.Hour))
			if !yield(&c, nil) {
				return
			}
		}
	}
}

func riverInfo() *TimeMapInfo {
	return &TimeMapInfo{URIs: URIs{Base: "https://archive.example", Coll: "web"}, Original: "http://river.example/a\\b?q=1,2&r=%2C"}
}

func TestTimeMaps(t *testing.T) {
	other := func(yield func(*cdx.Capture, error) bool) { // one URL of the river, then another one with bytes that no URI has
		_ = yield(&cdx.Capture{Time: 20010101120000, URL: "http://river.example/a\\b?q=1,2&r=%2C"}, nil) &&
			yield(&cdx.Capture{Time: 20010101120000, URL: "https://www.river.example/ä \"#"}, nil) &&
			yield(&cdx.Capture{Time: 20240229235959, URL: "http://river.example/a\\b?q=1,2&r=%2C"}, nil)
	}
	ranged := riverInfo()
	ranged.From, ranged.Until = 20010101120000, 20240229235959
	paged := riverInfo()
	paged.Page = 3
	paged.Pages = func() ([]PageRange, error) {
		return []PageRange{
			{Page: 1, From: 19990101000000, Until: 19991231235959},
			{Page: 2, From: 20000101120000, Until: 20001231235959},
			{Page: 3, From: 20010101120000, Until: 20010102120000},
		}, nil
	}
	tests := []struct {
		name     string
		captures iter.Seq2[*cdx.Capture, error]
		info     *TimeMapInfo
	}{
		{"one", series(0, 1, riverInfo().Original), riverInfo()},
		{"several", other, ranged},
		{"none", series(0, 0, ""), riverInfo()},
		{"last page", series(0, 2, riverInfo().Original), paged},
	}
	for _, tt := range tests {
		for _, w := range writers {
			t.Run(tt.name+"."+w.format, func(t *testing.T) {
				var got bytes.Buffer
				if err := w.write(&got, tt.captures, tt.info); err != nil {
					t.Fatal(err)
				}
				golden.Check(t, filepath.Join("testdata", tt.name+".timemap."+w.format), got.String())
			})
		}
	}
}

// RFC 7089 §5.1.1: a client can gather the pages by following the links of relation "timemap".
func TestPagesNameEachOtherAndAddUp(t *testing.T) {
	const total = 2*PageSize + 1
	info := riverInfo()
	info.Pages = func() ([]PageRange, error) { return PageRanges(times(series(0, total, ""))) }
	ranges, err := info.Pages()
	if err != nil || len(ranges) != 3 {
		t.Fatalf("got %v, %v", ranges, err)
	}
	for _, w := range writers {
		t.Run(w.format, func(t *testing.T) {
			n := 0
			for page := 1; page <= 3; page++ {
				if info.Page = page; page == 1 {
					info.Page = 0 // means the same
				}
				var b bytes.Buffer
				if err := w.write(&b, series(PageSize*(page-1), total-PageSize*(page-1), riverR), info); err != nil {
					t.Fatal(err)
				}
				m, err := ReadTimeMap(&b)
				if err != nil {
					t.Fatal(err)
				}
				n += len(m.Mementos)
				p := ranges[page-1]
				if first, last := m.Mementos[0].Time, m.Mementos[len(m.Mementos)-1].Time; first != p.From || last != p.Until {
					t.Errorf("page %d goes from %d to %d, want %d to %d", page, first, last, p.From, p.Until)
				}
				if diff := cmp.Diff(wantPages(info, w.format, ranges, page), m.Pages); diff != "" {
					t.Errorf("page %d: -want +got\n%s", page, diff)
				}
			}
			if n != total {
				t.Errorf("%d mementos on three pages, want %d", n, total)
			}
		})
	}
}

func wantPages(info *TimeMapInfo, format string, ranges []PageRange, page int) []Page {
	var pages []Page
	for _, p := range ranges {
		if p.Page != page {
			pages = append(pages, Page{info.URIs.TimeMap(format, p.Page, info.Original), p.From, p.Until})
		}
	}
	return pages
}

func times(captures iter.Seq2[*cdx.Capture, error]) iter.Seq2[cdx.Timestamp, error] {
	return func(yield func(cdx.Timestamp, error) bool) {
		for c, err := range captures {
			if err != nil {
				yield(0, err)
				return
			}
			if !yield(c.Time, nil) {
				return
			}
		}
	}
}

// Only the first memento of the first page is "first", only the last of the last page is "last".
func TestFirstAndLastAcrossPages(t *testing.T) {
	tests := []struct {
		name               string
		page, skip, n      int
		firstHas, lastHave bool
	}{
		{"a full page with more to come", 1, 0, PageSize + 1, true, false},
		{"the page after it", 2, PageSize, 1, false, true},
		{"a full page and no more", 1, 0, PageSize, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			info := riverInfo()
			info.Page = tt.page
			var b bytes.Buffer
			if err := WriteLink(&b, series(tt.skip, tt.n, riverR), info); err != nil {
				t.Fatal(err)
			}
			links, err := ParseLinks(b.String())
			if err != nil {
				t.Fatal(err)
			}
			first, last := &links[3], &links[len(links)-1]
			if first.Has("first") != tt.firstHas || last.Has("last") != tt.lastHave {
				t.Errorf("got %q and %q", first.Rels, last.Rels)
			}
		})
	}
}

func TestJSONNamesTheFirstAndLastOfAllPages(t *testing.T) {
	info := riverInfo()
	info.First, info.Last = capture(19990101000000), capture(20300101000000)
	var b bytes.Buffer
	if err := WriteJSON(&b, series(0, 3, riverR), info); err != nil {
		t.Fatal(err)
	}
	var j struct {
		Mementos struct{ First, Last jsonMemento }
	}
	if err := json.Unmarshal(b.Bytes(), &j); err != nil {
		t.Fatal(err)
	}
	want := jsonMemento{"1999-01-01T00:00:00Z", "https://archive.example/web/19990101000000/" + riverR}
	if j.Mementos.First != want || j.Mementos.Last.Datetime != "2030-01-01T00:00:00Z" {
		t.Errorf("got %v", j.Mementos)
	}
}

// The last capture may be gone by the time the first is known: then neither is named.
func TestJSONNamesBothEndsOrNeither(t *testing.T) {
	some := capture(20200101000000)
	for _, tt := range []struct {
		name        string
		first, last *cdx.Capture
		named       bool
	}{{"none", nil, nil, false}, {"the first alone", some, nil, false}, {"the last alone", nil, some, false}, {"both", some, some, true}} {
		info := riverInfo()
		info.First, info.Last = tt.first, tt.last
		var b bytes.Buffer
		if err := WriteJSON(&b, series(0, 0, riverR), info); err != nil || !json.Valid(b.Bytes()) {
			t.Errorf("%s: %v, %s", tt.name, err, &b)
		}
		if strings.Contains(b.String(), `"first"`) != tt.named || strings.Contains(b.String(), `"last"`) != tt.named {
			t.Errorf("%s: %s", tt.name, &b)
		}
	}
}

func TestAnErrorCutsOffATimeMap(t *testing.T) {
	broken := errors.New("broken")
	captures := func(yield func(*cdx.Capture, error) bool) {
		_ = yield(capture(20010101000000), nil) && yield(nil, broken)
	}
	first := func(yield func(*cdx.Capture, error) bool) { yield(nil, broken) }
	badPages := riverInfo()
	badPages.Pages = func() ([]PageRange, error) { return nil, broken }
	for _, w := range writers {
		var b bytes.Buffer
		if err := w.write(&b, captures, riverInfo()); !errors.Is(err, broken) {
			t.Errorf("%s: got %v, want %v", w.format, err, broken)
		}
		if !strings.Contains(b.String(), "/20010101000000/") || strings.Contains(b.String(), "last memento") {
			t.Errorf("%s: got %s", w.format, b.String())
		}
		b.Reset()
		if err := w.write(&b, first, riverInfo()); !errors.Is(err, broken) || strings.Contains(b.String(), "memento\"") {
			t.Errorf("%s, nothing else: got %v, %s", w.format, err, b.String())
		}
		if err := w.write(io.Discard, series(0, 1, riverR), badPages); !errors.Is(err, broken) {
			t.Errorf("%s: pages: got %v, want %v", w.format, err, broken)
		}
	}
}

// A brokenWriter fails after left bytes.
type brokenWriter struct{ left int }

var errGone = errors.New("the client is gone")

func (w *brokenWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, errGone
	}
	return len(b), nil
}

func TestAFailingWriterEndsTheReading(t *testing.T) {
	for _, w := range writers {
		read := 0
		captures := func(yield func(*cdx.Capture, error) bool) {
			for c, err := range series(0, PageSize, riverR) {
				if read++; !yield(c, err) {
					return
				}
			}
		}
		if err := w.write(&brokenWriter{left: 2 * flushSize}, captures, riverInfo()); !errors.Is(err, errGone) {
			t.Errorf("%s: got %v", w.format, err)
		}
		if read > PageSize/2 {
			t.Errorf("%s: read %d captures for nobody", w.format, read)
		}
	}
}

// The first bytes must leave before all captures have been read, and never many at once.
func TestTimeMapsAreStreamed(t *testing.T) {
	for _, w := range writers {
		var first, most, read int
		sink := writerFunc(func(b []byte) {
			if first == 0 {
				first = read
			}
			most = max(most, len(b))
		})
		captures := func(yield func(*cdx.Capture, error) bool) {
			for c, err := range series(0, PageSize, riverR) {
				if read++; !yield(c, err) {
					return
				}
			}
		}
		info := riverInfo()
		pages := make([]PageRange, 500)
		for i := range pages {
			pages[i] = PageRange{i + 1, 20000101000000, 20010101000000}
		}
		info.Pages = func() ([]PageRange, error) { return pages, nil }
		if err := w.write(sink, captures, info); err != nil {
			t.Fatal(err)
		}
		if first > 300 || most > flushSize+4<<10 {
			t.Errorf("%s: first bytes after %d captures, up to %d bytes at once", w.format, first, most)
		}
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) { f(b); return len(b), nil }
