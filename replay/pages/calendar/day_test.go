package calendar_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// The day of a calendar lists all its captures, with what each is.
func TestTheDayOfACalendar(t *testing.T) {
	records := []replaytest.Record{
		{Date: "20130507080000", URI: replaytest.Site + "/a", Status: 200, Body: replaytest.PageOf("A", "one two three")},
		{Date: "20130508000000", URI: replaytest.Site + "/a", Status: 200, Body: replaytest.PageOf("A", "one two three")},
		{Date: "20150218080000", URI: replaytest.Site + "/a", Status: 200, Body: replaytest.PageOf("A", "one two three")},
		{Date: "20150218090000", URI: replaytest.Site + "/a", Status: 200, Body: replaytest.PageOf("A", "four five six seven")},
		{Date: "20150218100000", URI: replaytest.Site + "/a", Status: 404, Body: replaytest.PageOf("A", "gone")},
		{Date: "20150301080000", URI: replaytest.Site + "/a", Status: 200, Body: replaytest.PageOf("A", "four five six seven")},
	}
	s, _ := replaytest.Serve(t, replaytest.Write(t, records))
	for _, tt := range []struct {
		path      string
		rows      int // of the day
		has, lack []string
	}{
		{
			"/web/*/", 0,
			[]string{
				"The year 2015", `href="/web/2013*/`, `href="/web/20150218*/`, "<caption>March ",
				`href="/web/timemap/html/` + replaytest.Site + `/a"`, `href="/web/diff/` + replaytest.Site + `/a"`,
			},
			[]string{"Captures of", "<caption>May"},
		},
		{"/web/2013*/", 0, []string{"The year 2013", `href="/web/20130507*/`}, []string{`href="/web/20150218*/`}},
		{"/web/2014*/", 0, []string{"2014: nothing archived"}, []string{`href="/web/20150218*/`, `class="month"`}},
		{"/web/20130507*/", 1, []string{"Captures of 7 May 2013", ">08:00:00<", `rel="next" href="/web/20130508*/`}, []string{`rel="prev"`}},
		{"/web/20130508*/", 1, []string{">00:00:00<", `rel="prev" href="/web/20130507*/`, `rel="next" href="/web/20150218*/`}, nil},
		{"/web/201502*/", 0, []string{"The year 2015"}, nil},
		{
			"/web/20150218*/", 3, []string{
				"Captures of 18 February 2015", ">08:00:00<", ">09:00:00<", ">10:00:00<", ">404<", `href="/web/20150218090000/`,
				`rel="prev" href="/web/20130508*/`, `rel="next" href="/web/20150301*/`, "3 captures, 2 changes",
			}, nil,
		},
		{"/web/20150219*/", 0, []string{"Captures of 19 February 2015", "Nothing", `href="/web/20150218*/`, `href="/web/20150301*/`}, nil},
	} {
		w := replaytest.Get(t, s.Handler(), tt.path+replaytest.Site+"/a", "Accept", "text/html")
		body := w.Body.String()
		for _, has := range tt.has {
			if w.Code != http.StatusOK || !strings.Contains(body, has) {
				t.Errorf("%s: %d without %q", tt.path, w.Code, has)
			}
		}
		for _, lack := range tt.lack {
			if strings.Contains(body, lack) {
				t.Errorf("%s has %q", tt.path, lack)
			}
		}
		day, _, _ := strings.Cut(body, `id="months"`)
		if rows := strings.Count(day, "<tr") - strings.Count(day, "<thead>"); rows != tt.rows {
			t.Errorf("%s: %d captures of the day, want %d", tt.path, rows, tt.rows)
		}
	}
	if w := replaytest.Get(t, s.Handler(), "/web/20150231*/"+replaytest.Site+"/a", "Accept", "text/html"); w.Code != http.StatusBadRequest {
		t.Errorf("30 February: %d", w.Code)
	}
	for _, on := range []string{"2015x", "soon", "2015-02-18"} {
		for _, at := range []string{"/web/?url=", "/-/calendar?url="} {
			if w := replaytest.Get(t, s.Handler(), at+replaytest.Site+"/a&on="+on, "Accept", "text/html"); w.Code != http.StatusBadRequest {
				t.Errorf("%son=%s: %d", at, on, w.Code)
			}
		}
	}
	w := replaytest.Get(t, s.Handler(), "/web/20150000000000*/"+replaytest.Site+"/a", "Accept", "text/html")
	if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "Captures of") {
		t.Errorf("a year with zeros: %d", w.Code)
	}
	at := "/web/?url=" + replaytest.Site + "/a&level=text&on=20150218"
	body := replaytest.Get(t, s.Handler(), at, "Accept", "text/html").Body.String()
	for _, m := range regexp.MustCompile(`class="day [^"]*" href="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		if !strings.Contains(m[1], "level=text") {
			t.Errorf("a day forgets the level: %s", m[1])
		}
	}
	if !strings.Contains(body, "Captures of 18 February 2015") {
		t.Error("at another level there is no day")
	}
}

// A page of a busy address is as long as that of a quiet one: only a year is in view, and a day lists a part.
func TestCalendarsOfBusyAddresses(t *testing.T) {
	var records []replaytest.Record
	for i := range 620 {
		date := fmt.Sprintf("20150218%02d%02d%02d", i/60/60, i/60%60, i%60)
		body := replaytest.PageOf("A", "one two")
		records = append(records, replaytest.Record{Date: date, URI: replaytest.Site + "/a", Status: 200, Body: body})
	}
	s, _ := replaytest.Serve(t, replaytest.Write(t, records))
	body := replaytest.Get(t, s.Handler(), "/web/20150218*/"+replaytest.Site+"/a", "Accept", "text/html").Body.String()
	if !strings.Contains(body, "120 more captures in the table") || strings.Count(body, `<td><a href="/web/20150218`) != 500 {
		t.Errorf("of 620 captures %d are listed", strings.Count(body, `<td><a href="/web/20150218`))
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Counted()).Ask(
		"/web/?url="+replaytest.CountedPage, "/web/*/"+replaytest.CountedPage, "/web/changes?url="+replaytest.CountedPage,
		"/web/changes?at=2012&level=text&url="+replaytest.CountedPage, "/-/calendar?url="+replaytest.CountedPage,
		"/web/timemap/html/"+replaytest.CountedPage,
	)
}
