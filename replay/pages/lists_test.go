package pages_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/replay/respond"
)

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

func TestTheAddressBoxLeadsOn(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: replaytest.Site + "/a", Status: 200, Body: replaytest.PageOf("A", "one two three")},
		{Date: "20150101000000", URI: replaytest.Site + "/b", Status: 404, Body: replaytest.PageOf("B", "one two three")},
	}))
	for _, tt := range []struct {
		path   string
		status int
		to     string
	}{
		{"/?url=rain.example.org/a", 302, "/web/*/http://rain.example.org/a"},
		{"/?url=rain.example.org/a&at=2015", 302, "/web/20150101000000/http://rain.example.org/a"},
		{"/?url=rain.example.org/a&at=then", 302, "/web/*/http://rain.example.org/a"},
		{"/web/?url=rain.example.org/a", 302, "/web/*/http://rain.example.org/a"},
		{"/web/?url=rain", 400, ""},
		{"/web/?url=rain.example.org/*", 200, ""},
		{"/web/?url=*.example.org", 200, ""},
		{"/web/?url=snow.example.org/*", 404, ""},
		{"/web/", 200, ""},
		{"/", 200, ""},
	} {
		w := replaytest.Get(t, s.Handler(), tt.path, "Accept", "text/html")
		if w.Code != tt.status || w.Header().Get("Location") != tt.to {
			t.Errorf("%s: %d, Location: %s", tt.path, w.Code, w.Header().Get("Location"))
		}
	}
	body := replaytest.Get(t, s.Handler(), "/web/", "Accept", "text/html").Body.String()
	if !strings.Contains(body, `href="/web/20150101000000/`+replaytest.Site+`/a"`) || strings.Contains(body, replaytest.Site+`/b"`) {
		t.Errorf("a collection proposes its pages, not its failures\n%s", body)
	}
}

// With one collection, home is that collection. Its title and description are what the people who run the archive say.
func TestHomeOfOneCollection(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, nil)
	archivetest.PutBare(t, x, "http://example.org/", 1, 0, 0)
	s, err := replay.New(replay.Config{
		Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}),
		About: func(coll string) respond.About {
			return respond.About{Title: "Rivers & " + coll, Description: "What was <said> of them."}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/web/"} {
		body := replaytest.Get(t, s.Handler(), path, "Accept", "text/html").Body.String()
		for _, want := range []string{"<h1>Collection Rivers &amp; web</h1>", "What was &lt;said&gt; of them.", `href="/web/"`} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %s in\n%s", path, want, body)
			}
		}
	}
	if list := replaytest.Get(t, s.Handler(), "/collinfo.json").Body.String(); !strings.Contains(list, `"name":"Rivers`) {
		t.Errorf("clients read %s", list)
	}
}

// The missing page of a TimeGate shows what was captured around the requested datetime.
func TestMissingPagesAreOfTheirMoment(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	for _, tt := range []struct {
		path, datetime string
		status         int
	}{
		{"/web/" + replaytest.Site + "/acid?x=1", "", 404},
		{"/web/" + replaytest.Site + "/acid?x=1", "Thu, 01 Jan 2015 00:00:00 GMT", 404},
		{"/web/20150101000000/" + replaytest.Site + "/acid?x=1", "", 404},
	} {
		w := replaytest.Get(t, s.Handler(), tt.path, "Accept", "text/html", "Accept-Datetime", tt.datetime)
		body := w.Body.String()
		want := "/web/20200101000000/" + replaytest.Site + "/acid"
		if tt.datetime != "" || strings.Contains(tt.path, "2015") {
			want = "/web/20150101000001/" + replaytest.Site + "/acid"
		}
		if w.Code != tt.status || !strings.Contains(body, want) {
			t.Errorf("%s %s: %d, want %s in\n%s", tt.path, tt.datetime, w.Code, want, body)
		}
	}
}

func TestParametersOfChanges(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, countedLife()))
	for _, tt := range []struct {
		query  string
		status int
	}{
		{"", 200}, {"&at=2012", 200}, {"&level=text", 200}, {"&at=then", 400}, {"&level=most", 400},
	} {
		w := replaytest.Get(t, s.Handler(), "/web/changes?url="+countedPage+tt.query)
		if w.Code != tt.status || tt.status == 200 && (!json.Valid(w.Body.Bytes()) || w.Header().Get("Content-Type") != "application/json") {
			t.Errorf("%s: %d %v\n%s", tt.query, w.Code, w.Header(), w.Body)
		}
	}
	if w := replaytest.Get(t, s.Handler(), "/web/changes?url=http://never.example/"); w.Code != 404 {
		t.Errorf("of what was never captured: %d", w.Code)
	}
}
