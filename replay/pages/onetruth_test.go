package pages_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

const countedPage = replaytest.CountedPage

func TestEveryViewCountsTheSameVersions(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Counted()))
	h := s.Handler()
	for level, want := range map[string]int{"content": 3, "text": 5, "any": 6} {
		query := url.Values{"url": {countedPage}, "level": {level}}.Encode()
		var changes struct {
			Level  string
			Ranges []json.RawMessage
		}
		if err := json.Unmarshal(replaytest.Get(t, h, "/web/changes?"+query).Body.Bytes(), &changes); err != nil {
			t.Fatal(err)
		}
		if changes.Level != level || len(changes.Ranges) != want {
			t.Errorf("changes: %d versions at level %s, want %d at %s", len(changes.Ranges), changes.Level, want, level)
		}
		if a := replaytest.Sliding(t, h, "/web/diff?"+query); a.Level != level || a.Versions != want {
			t.Errorf("slider: %d versions at level %s, want %d at %s", a.Versions, a.Level, want, level)
		}
	}
	if a := replaytest.Sliding(t, h, "/web/diff/"+countedPage); a.Level != "content" || a.Versions != 3 {
		t.Errorf("slider: %d versions at level %s unless asked", a.Versions, a.Level)
	}
	if w := replaytest.Get(t, h, "/web/cdx?fl=range&url="+countedPage); strings.Join(strings.Fields(w.Body.String()), " ") != "0 0 1 1 1 1 2" {
		t.Errorf("CDX: %s", w.Body)
	}
	if w := replaytest.Get(t, h, "/web/diff?level=words&url="+countedPage); w.Code != http.StatusBadRequest {
		t.Errorf("a level that there isn't: %d", w.Code)
	}
}

// yearChanges are the changes of a year, as the bars of a calendar say them.
var yearChanges = regexp.MustCompile(`title="\d{4}: \d+ captures?, (\d+) changes?"`)

var tags = regexp.MustCompile(`<[^>]*>`)

func TestPagesSayTheLevelOfWhatTheyCount(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Counted()))
	h := s.Handler()
	for _, c := range []struct{ name, target, says string }{
		{"calendar", "/web/*/" + countedPage, "7 captures, 3 versions by content · 5 by text"},
		{"calendar at level text", "/web/?level=text&url=" + countedPage, "7 captures, 3 versions by content · 5 by text"},
		{"calendar at level any", "/web/?level=any&url=" + countedPage, "7 captures, 3 versions by content · 5 by text · 6 by any byte"},
		{"slider", "/web/diff/" + countedPage, "3 versions by content · 5 by text · 6 by any byte , 7 captures"},
		{"slider at level text", "/web/diff?level=text&url=" + countedPage, "Change 4 of 4"},
		{"banner", "/web/20130101000000/" + countedPage, "version 2 of 3 by content"},
		{"the banner of an error page", "/web/20120601000000/" + countedPage, "This capture shows an error page."},
	} {
		w := replaytest.Get(t, h, c.target, "Accept", "text/html")
		if words := strings.Join(strings.Fields(tags.ReplaceAllString(w.Body.String(), " ")), " "); !strings.Contains(words, c.says) {
			t.Errorf("%s does not say %q: %s", c.name, c.says, words)
		}
	}
}

// The first capture of all has nothing before it that it could differ from.
func TestTheFirstCaptureIsNoChange(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Counted()))
	h := s.Handler()
	calendar := func(year string) string {
		return replaytest.Get(t, h, "/web/"+year+"*/"+countedPage, "Accept", "text/html").Body.String()
	}
	for day, changed := range map[string]bool{
		"1 January 2010": false, "1 January 2011": false, "1 January 2012": true, "1 January 2014": true,
	} {
		year := calendar(day[len(day)-4:])
		if got := strings.Contains(year, `title="`+day+`: 1 capture, 1 change"`); got != changed || !strings.Contains(year, day+": 1 capture") {
			t.Errorf("%s is a change: %v, want %v", day, got, changed)
		}
	}
	if !strings.Contains(calendar("2012"), `title="1 June 2012: 1 capture, server error"`) {
		t.Error("the calendar does not tell the error page from the others")
	}
	if w := replaytest.Get(t, h, "/web/cdx?fl=change&limit=1&url="+countedPage); strings.TrimSpace(w.Body.String()) != "none" {
		t.Errorf("CDX: %s", w.Body)
	}
	a := replaytest.Sliding(t, h, "/web/diff?index=0&url="+countedPage)
	if a.From.First != "20100101000000" || a.From.Last != "20110101000000" {
		t.Errorf("the first pair is from %+v", a.From)
	}
}

func TestTheCalendarAndListsCarryTheLevelOn(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Counted()))
	h := s.Handler()
	for _, c := range []struct {
		target      string
		links, none []string
		changes     int // days on which something changed
	}{
		{
			"/web/*/" + countedPage,
			[]string{`href="/web/?level=text&amp;url=`, `href="/web/diff/20110101000000/20120101000000/`, `href="/web/diff/http`},
			[]string{"level=content", "diff?"},
			2,
		},
		{
			"/web/?level=text&url=" + countedPage,
			[]string{
				`href="/web/*/` + countedPage, "/web/diff?level=text&amp;url=",
				"/web/diff?from=20100101000000&amp;level=text&amp;to=20110101000000&amp;url=",
			},
			[]string{`href="/web/diff/2`, "level=content"},
			4,
		},
		{"/web/diff?level=text&index=1&url=" + countedPage, []string{`href="/web/?level=text&amp;url=`}, []string{"/web/*/"}, 0},
		{
			"/web/diff?level=text&from=20110101000000&to=20120101000000&url=" + countedPage,
			[]string{`href="/web/?level=text&amp;url=`},
			[]string{"/web/*/"},
			0,
		},
		{"/web/?level=text&url=http://truth.example.org/*", []string{`href="/web/?level=text&amp;url=`}, []string{`href="/web/*/http`}, 0},
	} {
		w := replaytest.Get(t, h, c.target, "Accept", "text/html")
		body := w.Body.String()
		for _, l := range c.links {
			if w.Code != http.StatusOK || !strings.Contains(body, l) {
				t.Errorf("%s: %d, no link to %s", c.target, w.Code, l)
			}
		}
		for _, l := range c.none {
			if strings.Contains(body, l) {
				t.Errorf("%s: leads to %s", c.target, l)
			}
		}
		n := 0
		for _, m := range yearChanges.FindAllStringSubmatch(body, -1) {
			changes, _ := strconv.Atoi(m[1])
			n += changes
		}
		if n != c.changes {
			t.Errorf("%s: %d changes, want %d", c.target, n, c.changes)
		}
	}
	for target, status := range map[string]int{
		"/web/?level=words&url=" + countedPage: http.StatusBadRequest, "/web/?level=text&url=%20": http.StatusBadRequest,
		"/web/?url=" + countedPage: http.StatusFound,
	} {
		if w := replaytest.Get(t, h, target, "Accept", "text/html"); w.Code != status {
			t.Errorf("%s: %d, want %d", target, w.Code, status)
		}
	}
}
