package engine_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/static"
)

// A list of renditions is trimmed where it fits into memory; for the player's own script it stays as it was otherwise.
func TestListsOfRenditionsForScripts(t *testing.T) {
	if !static.HasWombat() {
		t.Skip("without the client-side runtime scripts get rewritten lists: run make build")
	}
	const low, high = "#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n", "#EXT-X-STREAM-INF:BANDWIDTH=2\nhigh.m3u8\n"
	const kind, limit = "Content-Type: application/vnd.apple.mpegurl\r\n", 4 << 20
	list := func(size int) string {
		body := "#EXTM3U\n" + low + high
		return body + "#" + strings.Repeat("a", max(0, size-len(body)-2)) + "\n"
	}
	s, _ := serves(t, []replaytest.Verbatim{
		{Date: "20200101000000", URI: "http://a.example/film.m3u8", Message: message(200, kind, "#EXTM3U\n"+low+high)},
		{Date: "20200101000000", URI: "http://a.example/whole.m3u8", Message: message(200, kind, "#EXTM3U\n"+high)},
		{Date: "20200101000000", URI: "http://a.example/fits.m3u8", Message: message(200, kind, list(limit-1))},
		{Date: "20200101000000", URI: "http://a.example/large.m3u8", Message: message(200, kind, list(limit+9))},
		{Date: "20200101000000", URI: "http://a.example/high.m3u8", Message: message(200, kind, "#EXTM3U\n")},
	})
	for _, tt := range []struct {
		name, path, header, value string
		body                      string
	}{
		{"by XMLHttpRequest", "film", "X-Pywb-Requested-With", "XMLHttpRequest", "#EXTM3U\n" + high},
		{"by fetch", "film", "Sec-Fetch-Dest", "empty", "#EXTM3U\n" + high},
		{"of which all is there", "whole", "Sec-Fetch-Dest", "empty", "#EXTM3U\n" + high},
		{"as large as can be", "fits", "Sec-Fetch-Dest", "empty", strings.Replace(list(limit-1), low, "", 1)},
		{"too large", "large", "Sec-Fetch-Dest", "empty", list(limit + 9)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := "/web/20200101000000/http://a.example/" + tt.path + ".m3u8"
			w := ask(s, "GET", path, tt.header, tt.value)
			if w.Code != 200 || w.Body.String() != tt.body || !strings.Contains(w.Header().Get("Vary"), "X-Pywb-Requested-With") {
				t.Errorf("%d, %d bytes of %d, %v\n%.200s", w.Code, w.Body.Len(), len(tt.body), w.Header().Get("Vary"), w.Body)
			}
			h := ask(s, "HEAD", path, tt.header, tt.value)
			if h.Code != 200 || h.Body.Len() > 0 || h.Header().Get("Content-Length") != strconv.Itoa(len(tt.body)) {
				t.Errorf("HEAD: %d with %d bytes, Content-Length: %s", h.Code, h.Body.Len(), h.Header().Get("Content-Length"))
			}
		})
	}
	w := ask(s, "GET", "/web/20200101000000wkrf_/http://a.example/film.m3u8")
	if w.Body.String() != "#EXTM3U\n"+high || !strings.Contains(w.Header().Get("Vary"), "X-Pywb-Requested-With") {
		t.Errorf("a worker gets %v\n%s", w.Header(), w.Body)
	}
	w = ask(s, "GET", "/web/20200101000000/http://a.example/film.m3u8", "Sec-Fetch-Dest", "document")
	if !strings.Contains(w.Body.String(), "\n/web/20200101000000") {
		t.Errorf("what isn't a script gets a rewritten list: %s", w.Body)
	}
}

func TestTimeMapFormats(t *testing.T) {
	page := func(date, text string) replaytest.Verbatim {
		return replaytest.Verbatim{Date: date, URI: "http://a.example/", Message: message(200, aPage, replaytest.PageOf("Page", text))}
	}
	s, r := serves(t, []replaytest.Verbatim{
		page("20150101000000", "one two three"), page("20150102000000", "one two three"), page("20160101000000", "four five six"),
	})
	for _, tt := range []struct {
		path, kind string
		status     int
		has        string
	}{
		{"timemap/http://a.example/", "application/link-format", 200, `rel="first memento"`},
		{"timemap/link/http://a.example/", "application/link-format", 200, `rel="last memento"`},
		{"timemap/json/http://a.example/", "application/json", 200, `"original_uri"`},
		{"timemap/cdxj/http://a.example/", "application/cdxj+ors", 200, "20150101000000 {"},
		{"timemap/html/http://a.example/", "text/html; charset=utf-8", 200, "<html"},
		{"timemap?url=a.example&format=cdxj", "application/cdxj+ors", 200, "20150101000000 {"},
		{"timemap/xml/http://a.example/", "text/plain; charset=utf-8", 400, "link, json, cdxj or html"},
		{"timemap/link/2/http://a.example/", "text/plain; charset=utf-8", 404, "the last page of this TimeMap is 1"},
		{"timemap/link/0/http://a.example/", "text/plain; charset=utf-8", 400, "page 0"},
		{"timemap/html/00/http://a.example/", "text/plain; charset=utf-8", 400, "page 0"},
		{"timemap/link/http://b.example/", "text/plain; charset=utf-8", 404, "has no capture of http://b.example/"},
	} {
		w := ask(s, "GET", "/web/"+tt.path)
		if w.Code != tt.status || w.Header().Get("Content-Type") != tt.kind || !strings.Contains(w.Body.String(), tt.has) {
			t.Errorf("%s: %d %s\n%s", tt.path, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
		if h := ask(s, "HEAD", "/web/"+tt.path); h.Code != tt.status || h.Body.Len() > 0 || h.Header().Get("Content-Type") != tt.kind {
			t.Errorf("HEAD %s: %d with %d bytes, %s", tt.path, h.Code, h.Body.Len(), h.Header().Get("Content-Type"))
		}
	}
	if r.opened.Load() > 0 {
		t.Errorf("%d records are opened for lists", r.opened.Load())
	}
	var got struct {
		Mementos struct {
			List []struct {
				Version *int `json:"version"`
			} `json:"list"`
		} `json:"mementos"`
	}
	body := ask(s, "GET", "/web/timemap/json/http://a.example/").Body
	if err := json.Unmarshal(body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	var versions []any
	for _, m := range got.Mementos.List {
		versions = append(versions, replaytest.Value(m.Version))
	}
	if fmt.Sprint(versions) != "[0 0 1]" && fmt.Sprint(versions) != "[1 1 2]" {
		t.Errorf("versions %v in\n%s", versions, body)
	}
}

// A TimeMap that just fills a page has no other; with one memento more it names the second.
func TestTimeMapsOfAPageAndOneMore(t *testing.T) {
	for n, pages := range map[int]int{memento.PageSize: 1, memento.PageSize + 1: 2} {
		x, _ := archivetest.CountedIndex(t, nil)
		archivetest.PutBare(t, x, "http://example.org/", n, 0, 0)
		s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time the pages are known
			first := ask(s.Handler(), "GET", "/web/timemap/link/http://example.org/").Body.String()
			if got := strings.Contains(first, "timemap/link/2/"); got != (pages == 2) {
				t.Errorf("%d mementos: names a second page: %t", n, got)
			}
			if got := strings.Count(first, `memento";`); got != memento.PageSize {
				t.Errorf("%d mementos: %d on the first page", n, got)
			}
		}
		w := ask(s.Handler(), "GET", "/web/timemap/link/2/http://example.org/")
		if pages == 2 && (w.Code != 200 || strings.Count(w.Body.String(), `memento";`) != 1) || pages == 1 && w.Code != 404 {
			t.Errorf("%d mementos: the second page: %d %.300s", n, w.Code, w.Body)
		}
		if w := ask(s.Handler(), "GET", "/web/timemap/link/3/http://example.org/"); w.Code != 404 {
			t.Errorf("%d mementos: the third page: %d", n, w.Code)
		}
		archivetest.PutBare(t, x, "http://example.org/new", 1, 0, 0) // another generation of the index
		if w := ask(s.Handler(), "GET", "/web/timemap/link/2/http://example.org/"); (w.Code == 200) != (pages == 2) {
			t.Errorf("%d mementos: the second page after the index grew: %d", n, w.Code)
		}
	}
}
