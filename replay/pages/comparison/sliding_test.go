package comparison_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/pages/comparison"
	"github.com/varve-archive/varve/replay/replaytest"
)

const slidingPage = "http://slide.example.org/page?a=1&b=2"

// slidingLife is a page with versions of every kind.
func slidingLife() []replaytest.Record {
	at := func(date string, status int, location string, body ...string) replaytest.Record {
		return replaytest.Record{Date: date, URI: slidingPage, Status: status, Location: location, Body: replaytest.Paragraphs(body...)}
	}
	return []replaytest.Record{
		at("20100101000000", 200, "", "Smog is near.", "All is well."),
		at("20100201000000", 200, "", "Smog is near.", "All is well."),
		at("20100301000000", 200, "", "Smog is near.", "All is well."),
		at("20110101000000", 200, "", "Fog is near.", "All is well."),
		at("20120101000000", 301, "http://elsewhere.example.org/"),
		at("20120201000000", 301, "http://elsewhere.example.org/"),
		at("20130101000000", 200, "", "Fog is near.", "All was well."),
		at("20140101000000", 404, "", "Nothing here."),
		at("20150101000000", 200, "", "Smog is near.", "All was well."),
		at("20160101000000", 500, "", "A failure."),
		at("20160201000000", 200, "", "Smog is near.", "All was well."),
	}
}

func slidingURI(params ...string) string {
	v := url.Values{"url": {slidingPage}}
	for i := 0; i < len(params); i += 2 {
		v.Set(params[i], params[i+1])
	}
	return "/web/diff?" + v.Encode()
}

// target returns path and query of an address of the test server.
func target(t *testing.T, uri *string) string {
	t.Helper()
	if uri == nil {
		t.Fatal("there is no address to go to")
	}
	return strings.TrimPrefix(*uri, "http://varve.example")
}

func TestSlidingDiffChoosesThePair(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, slidingLife()))
	h := s.Handler()
	for _, c := range []struct {
		name, target string
		index        int
	}{
		{"the newest pair unless asked", slidingURI(), 4},
		{"the form of a path", "/web/diff/" + slidingPage, 4},
		{"a version's first moment", slidingURI("at", "20110101000000"), 1},
		{"its last, before the next", slidingURI("at", "20111231235959"), 1},
		{"a short datetime is padded down", slidingURI("at", "2012"), 2},
		{"before the first", slidingURI("at", "1999"), 0},
		{"the newest version has no next: the newest pair", slidingURI("at", "2020"), 4},
		{"a failed capture ends no version", slidingURI("at", "20160101000000"), 4},
		{"a number", slidingURI("index", "2"), 2},
		{"a number beyond the end", slidingURI("index", "99"), 4},
		{"a number below", slidingURI("index", "-3"), 0},
		{"a number that the datetime contradicts", slidingURI("index", "2", "at", "2010"), 0},
		{"the newest change of a word", slidingURI("term", "fog"), 2 + 1},
		{"of a phrase", slidingURI("term", `"was well"`), 4},
		{"of a word that never changes: the newest", slidingURI("term", "haze"), 4},
		{"a word and a datetime: the datetime's", slidingURI("term", "fog", "at", "2010"), 0},
		{"an empty word is none", slidingURI("term", "  "), 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := replaytest.Sliding(t, h, c.target)
			if a.Index != c.index || a.Versions != 6 || a.OriginalURI != slidingPage {
				t.Errorf("pair %d of %d versions of %s, want pair %d of 6", a.Index, a.Versions, a.OriginalURI, c.index)
			}
		})
	}
	for target, status := range map[string]int{
		slidingURI("at", "yesterday"): 400, slidingURI("index", "x"): 400, slidingURI("term", `"fog`): 400, slidingURI("term", "..."): 400,
		slidingURI("term", strings.Repeat("x", 10_000)): 400, "/web/diff": 400, "/web/diff?term=x": 400, "/web/diff/http://nowhere.example/": 404,
	} {
		if w := replaytest.Get(t, h, target); w.Code != status || strings.Contains(w.Body.String(), "<") {
			t.Errorf("%.60s: %d %.100s, want %d", target, w.Code, w.Body, status)
		}
	}
}

// An end is what a test expects of a version.
type end struct {
	first, last, datetime string
	captures              int
	kind                  string
	status                int
}

func endOf(e *comparison.SlidingEnd) end {
	return end{e.First, e.Last, e.Datetime, e.Captures, e.Kind, e.Status}
}

func TestSlidingDiffGoesThroughAllVersions(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, slidingLife()))
	h := s.Handler()
	versions := []end{
		{"20100101000000", "20100301000000", "", 3, "page", 200},
		{"20110101000000", "20110101000000", "", 1, "page", 200},
		{"20120101000000", "20120201000000", "", 2, "redirect", 301},
		{"20130101000000", "20130101000000", "", 1, "page", 200},
		{"20140101000000", "20140101000000", "", 1, "missing", 404},
		{"20150101000000", "20160201000000", "", 3, "page", 200},
	}
	var back []string
	for at, i := target(t, replaytest.Sliding(t, h, slidingURI()).First), 0; i < 5; i++ {
		a := replaytest.Sliding(t, h, at)
		older, newer := versions[i], versions[i+1]
		older.datetime, newer.datetime = older.last, newer.first
		if got := []any{a.Index, endOf(&a.From), endOf(a.To)}; !cmp.Equal(got, []any{i, older, newer}, cmp.AllowUnexported(end{})) {
			t.Errorf("pair %d: %v", i, got)
		}
		if text := older.kind != "redirect" && newer.kind != "redirect"; text != (a.Change != nil) {
			t.Errorf("pair %d: change %v", i, a.Change)
		}
		if a.From.URIM != "http://varve.example/web/"+older.last+"/"+slidingPage {
			t.Errorf("pair %d: from %s", i, a.From.URIM)
		}
		if i == 4 {
			if a.Next != nil || target(t, a.Last) != at {
				t.Errorf("the last pair has the next one %v, the last one %v", a.Next, *a.Last)
			}
			break
		}
		back, at = append(back, at), target(t, a.Next)
	}
	for i, a := 4, replaytest.Sliding(t, h, slidingURI()); i > 0; i-- {
		if got := target(t, a.Previous); got != back[i-1] {
			t.Errorf("before pair %d comes %s, want %s", i, got, back[i-1])
		}
		a = replaytest.Sliding(t, h, back[i-1])
	}
	a := replaytest.Sliding(t, h, back[2])
	if a.From.Redirect == nil || *a.From.Redirect != "http://elsewhere.example.org/" || len(a.Blocks) != 0 {
		t.Errorf("the redirect leads to %v", replaytest.Value(a.From.Redirect))
	}
	if a := replaytest.Sliding(t, h, slidingURI("index", "0")); a.Change == nil || a.Change.Deleted != 1 || len(a.Blocks) == 0 ||
		a.Blocks[1].Op != "change" {
		t.Errorf("smog becomes fog in %v", a.Blocks)
	}
}

// A reader without script must see the same.
func TestSlidingDiffSaysWhatItIsInWords(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, slidingLife()))
	h := s.Handler()
	for _, c := range []struct {
		name, target string
		says         []string
	}{
		{
			"a change", slidingURI("index", "0"),
			[]string{
				"<b>6 versions by content</b>", "<b>Change 1 of 5</b>, 1 Mar 2010 – 1 Jan 2011",
				"3 captures unchanged, from 1 Jan 2010 to 1 Mar 2010", ">1 capture</p>", "<del>Smog </del>", "<ins>Fog </ins>",
				"1 word deleted, 1 word added",
			},
		},
		{
			"a page that became a redirect", slidingURI("index", "1"),
			[]string{
				"There is no text to compare.", "a page with text",
				"a redirect (301) to <bdi class=\"uri\" dir=\"ltr\">http://elsewhere.example.org/",
			},
		},
		{"a page that went", slidingURI("index", "3"), []string{">missing</span>", "a page with text", "<ins>Nothing here.</ins>"}},
		{
			"a word", slidingURI("term", "smog", "index", "0"),
			[]string{
				"<mark>Smog</mark>", "smog</bdi>”: 1 time before, 0 times after", "no earlier change of “<bdi>smog</bdi>”",
				"later change of “<bdi>smog</bdi>”", "A dot marks a change",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := replaytest.Get(t, h, c.target, "Accept", "text/html")
			if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Vary"), "Accept") {
				t.Errorf("%d, Vary: %s", w.Code, w.Header().Get("Vary"))
			}
			for _, words := range c.says {
				if !strings.Contains(w.Body.String(), words) {
					t.Errorf("the page does not say %q", words)
				}
			}
		})
	}
}

func TestSlidingDiffOfOneVersion(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, slidingLife()[:3]))
	a := replaytest.Sliding(t, s.Handler(), slidingURI("at", "2010", "term", "smog"))
	if a.Versions != 1 || a.To != nil || a.First != nil || a.Next != nil || a.From.Captures != 3 || a.Term == nil ||
		a.Term.Counts[0].Before != 1 {
		t.Errorf("%+v", a)
	}
	w := replaytest.Get(t, s.Handler(), slidingURI(), "Accept", "text/html")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "There is one version only") ||
		strings.Contains(w.Body.String(), "range") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Of captures of one second the first is shown, so the others make no versions.
func TestSlidingDiffOfCapturesOfTheSameSecond(t *testing.T) {
	var life []replaytest.Record
	for i, date := range []string{"20100101000000", "20100101000000", "20100101000000", "20110101000000"} {
		life = append(life, replaytest.Record{
			Date: date, URI: slidingPage, Status: 200, Location: "", Body: replaytest.Paragraphs(fmt.Sprintf("Text number %d.", i)),
		})
	}
	s, _ := replaytest.Serve(t, replaytest.Write(t, life))
	a := replaytest.Sliding(t, s.Handler(), slidingURI("index", "0", "level", "text"))
	if a.Versions != 2 || a.From.Captures != 3 || a.Shown == nil || *a.Shown != (comparison.DiffShown{Added: 1, Deleted: 1}) {
		t.Errorf("%+v", a)
	}
}

// If a file can't be read, the page must say so and lead on.
func TestSlidingDiffOfAnUnreadableFile(t *testing.T) {
	file := replaytest.Write(t, slidingLife())
	s, _ := replaytest.Serve(t, file)
	h := s.Handler()
	replaytest.Remove(t, file)
	w := replaytest.Get(t, h, slidingURI("index", "0"), "Accept", "text/html")
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "can&#39;t be read at the moment") ||
		!strings.Contains(w.Body.String(), `rel="next"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	two := slidingURI("from", "2000", "to", "2030")
	for name, path := range map[string]string{
		"all versions": slidingURI("index", "0"), "two of them": two, "their animation": strings.Replace(two, "diff", "animate", 1),
	} {
		if w := replaytest.Get(t, h, path); w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s as data: %d %s", name, w.Code, w.Body)
		}
	}
}
