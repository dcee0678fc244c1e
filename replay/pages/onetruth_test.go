package pages_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/pages/comparison"
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
		if a := slidingAnswer(t, h, "/web/diff?"+query); a.Level != level || a.Versions != want {
			t.Errorf("slider: %d versions at level %s, want %d at %s", a.Versions, a.Level, want, level)
		}
	}
	if a := slidingAnswer(t, h, "/web/diff/"+countedPage); a.Level != "content" || a.Versions != 3 {
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
	if a := slidingAnswer(t, h, "/web/diff?index=0&url="+countedPage); a.From.First != "20100101000000" || a.From.Last != "20110101000000" {
		t.Errorf("the first pair is from %+v", a.From)
	}
}

func TestLinksCarryTheLevelOn(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Counted()))
	h := s.Handler()
	a := slidingAnswer(t, h, "/web/diff?level=text&index=1&term=mill&url="+countedPage)
	for _, to := range []*string{a.First, a.Previous, a.Next, a.Last} {
		there := target(t, to)
		if !strings.Contains(there, "level=text") || slidingAnswer(t, h, there).Versions != 5 {
			t.Errorf("%s leads to other versions", there)
		}
	}
	slider := replaytest.Get(t, h, "/web/diff?level=text&index=1&url="+countedPage, "Accept", "text/html").Body.String()
	if !strings.Contains(slider, `<input type="hidden" name="level" value="text">`) {
		t.Error("the search for a word leaves the level")
	}
	pair := replaytest.Get(t, h, "/web/diff?level=text&from=20110101000000&to=20120101000000&url="+countedPage, "Accept",
		"text/html").Body.String()
	for _, to := range []string{
		"/web/diff?from=20100101000000&amp;level=text&amp;to=20110101000000&amp;url=",
		"/web/diff?from=20120101000000&amp;level=text&amp;to=20130101000000&amp;url=",
		"/web/diff?at=20110101000000&amp;level=text&amp;url=",
	} {
		if !strings.Contains(pair, to) {
			t.Errorf("the diff has no link to %s", to)
		}
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

// A pair of versions by content may lie further apart than two by text, and the texts within a version differ.
func TestTheChangesOfATermAreThoseOfThePairsAtALevel(t *testing.T) {
	_, x := replaytest.Serve(t, replaytest.Write(t, replaytest.Counted()))
	reading, _ := countedOver(t, x, "")
	indexed, _ := countedOver(t, x, t.TempDir())
	for how, h := range map[string]http.Handler{"by reading texts": reading, "by the index": indexed} {
		for _, c := range []struct{ level, term, want string }{
			{"content", "three", "[0]"},
			{"content", "five", "[0 1]"},
			{"content", "mill", "[]"},
			{"content", "start", "[]"},
			{"content", "2011", "[]"},
			{"text", "three", "[1]"},
			{"text", "five", "[1 3]"},
			{"text", "mill", "[]"},
			{"text", "start", "[2]"},
			{"text", "2011", "[0]"},
		} {
			found := []int{}
			at := "/web/diff?level=" + c.level + "&index=0&term=" + c.term + "&url=" + countedPage
			for range 5 {
				a := slidingAnswer(t, h, at)
				if n := a.Term.Counts[0]; n.Before != n.After {
					found = append(found, a.Index)
				}
				if a.Term.Next == nil {
					break
				}
				at = target(t, a.Term.Next)
			}
			if got := fmt.Sprint(found); got != c.want {
				t.Errorf("%s: %s changes at level %s in the pairs %v, want %v", how, c.term, c.level, got, c.want)
			}
		}
	}
}

func TestCountsAboveADiffAreTheDiffs(t *testing.T) {
	const uri = "http://moved.example.org/"
	one := "<p>Opening hours are three to three.<p>First of all.<p>Second of all.<p>Third of all.<p>Seen by many a reader."
	two := "<p>Opening hours are five to five.<p>Seen by many a reader.<p>First of all. Second of all.<p>Third of all."
	s, _ := replaytest.Serve(t, replaytest.Write(t,
		[]replaytest.Record{
			{Date: "20100101000000", URI: uri, Status: 200, Location: "", Body: one},
			{Date: "20110101000000", URI: uri, Status: 200, Location: "", Body: two},
		}))
	h := s.Handler()
	var a comparison.DiffAnswer
	if err := json.Unmarshal(replaytest.Get(t, h, "/web/diff/2010/2011/"+uri).Body.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	if a.Shown == nil || *a.Shown != (comparison.DiffShown{Added: 2, Deleted: 2, Moved: 5}) || a.Change.Similarity >= 1 {
		t.Errorf("shown %+v of %+v", a.Shown, a)
	}
	words := map[string]int{}
	for _, b := range a.Blocks {
		for _, e := range b.Edits {
			words[e.Op] += len(strings.Fields(e.Text))
		}
	}
	if words["insert"] != 2 || words["delete"] != 2 || words["move"] != 5 || len(words) != 4 {
		t.Errorf("the edits have %v", words)
	}
	html := replaytest.Get(t, h, "/web/diff/2010/2011/"+uri, "Accept", "text/html").Body.String()
	for _, says := range []string{"2 words deleted, 2 words added, 5 words moved", "moved from here", "moved here"} {
		if !strings.Contains(html, says) {
			t.Errorf("the page does not say %q", says)
		}
	}
}
