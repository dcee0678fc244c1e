package comparison_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/pages/comparison"
	"github.com/varve-archive/varve/replay/replaytest"
)

const countedPage = replaytest.CountedPage

func TestLinksCarryTheLevelOn(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Counted()))
	h := s.Handler()
	a := replaytest.Sliding(t, h, "/web/diff?level=text&index=1&term=mill&url="+countedPage)
	for _, to := range []*string{a.First, a.Previous, a.Next, a.Last} {
		there := target(t, to)
		if !strings.Contains(there, "level=text") || replaytest.Sliding(t, h, there).Versions != 5 {
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
				a := replaytest.Sliding(t, h, at)
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
