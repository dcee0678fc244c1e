package timeline_test

import (
	"iter"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
)

func TestNearestIsTheNearestCaptureThatShowsThePage(t *testing.T) {
	tests := []struct {
		name    string
		history string
		broken  []int // days whose record can't be read
		want    int   // the day that is asked for
		nearest string
	}{
		{"the capture of that day", "a b c", nil, 1, "1"},
		{"the first is nearest before all", "a b", nil, 0, "0"},
		{"an unreadable record is left out", "a b c", []int{2}, 2, "1"},
		{"all are unreadable", "a b", []int{0, 1}, 0, "none"},
		{"never captured", "", nil, 0, "none"},
		{"a failure yields to a good capture within a day", "a 503", nil, 1, "0"},
		{"a failure that is alone", "503", nil, 0, "0"},
		{"a redirect to itself leads nowhere", ">" + page + " a", nil, 0, "1"},
		{"a redirect to elsewhere is an answer", ">/other a", nil, 0, "0"},
		{"a revisit without its original", "=x a", nil, 0, "1"},
		{"a revisit is read from its original", "x =x", nil, 1, "1"},
		{"a revisit whose original is unreadable", "x =x y", []int{0}, 1, "2"},
		{"a 404 is an answer", "a 404", nil, 1, "1"},
		{"a 304 has nothing to show", "a 304", nil, 1, "0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, shelf := open(t, days(page, strings.Fields(tt.history)...)...)
			for _, d := range tt.broken {
				shelf.Break(t, day(d), page)
			}
			c, err := s.Timelines.Nearest(t.Context(), timelineOf(t, s, page), at(tt.want))
			if err != nil || dayOf(c) != tt.nearest {
				t.Errorf("got day %s, %v, want day %s", dayOf(c), err, tt.nearest)
			}
		})
	}
}

// captures builds a timeline from captures with the same key.
func captures(list ...cdx.Capture) *timeline.Timeline {
	for i := range list {
		list[i].Key = "example,a)/page"
		if list[i].URL == "" {
			list[i].URL = page
		}
	}
	return &timeline.Timeline{Key: "example,a)/page", Captures: list}
}

func TestMementoPrefersTheBetterCaptureOfASecond(t *testing.T) {
	unresolved := cdx.Capture{Kind: cdx.Revisit, Status: 200}
	revisit := cdx.Capture{Kind: cdx.Revisit, Status: 200, Origin: cdx.Location{File: 1}}
	response := func(status int) cdx.Capture { return cdx.Capture{Status: status} }
	toItself := cdx.Capture{Status: 301, Redirect: page}
	tests := []struct {
		name   string
		second []cdx.Capture
		want   int
	}{
		{"one", []cdx.Capture{response(200)}, 0},
		{"the first of equals", []cdx.Capture{response(200), response(200)}, 0},
		{"a success before a failure", []cdx.Capture{response(404), response(200)}, 1},
		{"a success before a redirect", []cdx.Capture{response(300), response(200)}, 1},
		{"200 is a success", []cdx.Capture{response(199), response(200)}, 1},
		{"299 is a success", []cdx.Capture{response(300), response(299)}, 1},
		{"a response before a revisit", []cdx.Capture{revisit, response(200)}, 1},
		{"a revisit of a success before a failure", []cdx.Capture{response(404), revisit}, 1},
		{"a failure before a revisit without its original", []cdx.Capture{unresolved, response(404)}, 1},
		{"a failure before a redirect to itself", []cdx.Capture{toItself, response(404)}, 1},
		{"a failure before a 304", []cdx.Capture{response(304), response(404)}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := []cdx.Capture{{Time: at(0), Status: 200}}
			for _, c := range tt.second {
				c.Time = at(1)
				all = append(all, c)
			}
			tl := captures(append(all, cdx.Capture{Time: at(2), Status: 200})...)
			if got, want := tl.Memento(at(1)), &tl.Captures[1+tt.want]; got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	if c := captures(cdx.Capture{Time: at(0)}).Memento(at(1)); c != nil {
		t.Errorf("a second without captures: %+v", c)
	}
}

func TestSecondIsARunOfCaptures(t *testing.T) {
	one, three, five := cdx.Capture{Time: at(1)}, cdx.Capture{Time: at(3)}, cdx.Capture{Time: at(5)}
	tl := captures(one, three, three, five, five)
	for i, want := range [][2]int{{0, 0}, {0, 1}, {1, 1}, {1, 3}, {3, 3}, {3, 5}, {5, 5}} {
		if from, to := tl.Second(at(i)); from != want[0] || to != want[1] {
			t.Errorf("day %d: captures %d to %d, want %v", i, from, to, want)
		}
	}
}

func TestRangeOfIsTheLastRangeThatHasBegun(t *testing.T) {
	ranges := []change.Range{{First: at(1)}, {First: at(3)}, {First: at(5)}}
	for i, want := range []int{0, 0, 0, 1, 1, 2, 2} {
		if got := timeline.RangeOf(ranges, at(i)); got != want {
			t.Errorf("day %d: range %d, want %d", i, got, want)
		}
	}
	if got := timeline.RangeOf(nil, at(0)); got != -1 {
		t.Errorf("no ranges: %d", got)
	}
}

func TestWhatRedirects(t *testing.T) {
	tests := []struct {
		name                           string
		capture                        cdx.Capture
		redirect, toItself, leadsAlone bool // leadsAlone: it leads elsewhere if it is the only capture
		leads                          bool // or if there is a page
	}{
		{"a page", cdx.Capture{Status: 200}, false, false, false, false},
		{"299", cdx.Capture{Status: 299, Redirect: "http://b.example/"}, false, false, false, false},
		{"300", cdx.Capture{Status: 300, Redirect: "http://b.example/"}, true, false, true, true},
		{"304 is no redirect", cdx.Capture{Status: 304, Redirect: "http://b.example/"}, false, false, false, false},
		{"399", cdx.Capture{Status: 399, Redirect: "http://b.example/"}, true, false, true, true},
		{"400", cdx.Capture{Status: 400, Redirect: "http://b.example/"}, false, false, false, false},
		{"without a target", cdx.Capture{Status: 301}, true, false, false, false},
		{"to another scheme of its address", cdx.Capture{Status: 301, Redirect: "https://www.a.example/page"}, true, true, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.capture.Time = at(0)
			alone := captures(tt.capture)
			c := &alone.Captures[0]
			if got := timeline.IsRedirect(c); got != tt.redirect {
				t.Errorf("a redirect: %v", got)
			}
			if got := timeline.ToItself(c); got != tt.toItself {
				t.Errorf("to itself: %v", got)
			}
			if got := timeline.LeadsElsewhere(alone, c); got != tt.leadsAlone {
				t.Errorf("leads elsewhere, alone: %v", got)
			}
			both := captures(tt.capture, cdx.Capture{Time: at(1), Status: 200})
			if got := timeline.LeadsElsewhere(both, &both.Captures[0]); got != tt.leads {
				t.Errorf("leads elsewhere, beside a page: %v", got)
			}
		})
	}
	post := cdx.Capture{Status: 301, URL: page, Redirect: page, Key: "example,a)/page?__wb_method=post&q=1"}
	if !timeline.ToItself(&post) {
		t.Error("the answer to a POST that redirects to the same address")
	}
}

func TestNeighbourhoodNamesCapturesAndVersions(t *testing.T) {
	s, _ := open(t, days(page, "one", "one", "two", "two", "two", "three")...)
	tl := timelineOf(t, s, page)
	// current: first, last, prev, next, predecessor-version, successor-version
	want := []string{"0 5 none 1 none 2", "0 5 0 2 none 2", "0 5 1 3 1 5", "0 5 2 4 1 5", "0 5 3 5 1 5", "0 5 4 none 4 none"}
	for i := range tl.Captures {
		n, err := tl.Neighbourhood(&tl.Captures[i])
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range []*cdx.Capture{n.First, n.Last, n.Prev, n.Next, n.Predecessor, n.Successor} {
			got = append(got, dayOf(c))
		}
		if g := strings.Join(got, " "); g != want[i] {
			t.Errorf("day %d: %s, want %s", i, g, want[i])
		}
		if n.Current != &tl.Captures[i] {
			t.Errorf("day %d: current is day %s", i, dayOf(n.Current))
		}
	}
}

func TestNeighboursOfASecondAreOutsideIt(t *testing.T) {
	records := days(page, "one", "two", "three")
	twice := records[1]
	twice.Status = 404
	s, _ := open(t, records[0], twice, records[1], records[2])
	tl := timelineOf(t, s, page)
	for i := 1; i <= 2; i++ {
		n, err := tl.Neighbourhood(&tl.Captures[i])
		if err != nil {
			t.Fatal(err)
		}
		if dayOf(n.Prev) != "0" || dayOf(n.Next) != "2" {
			t.Errorf("capture %d: prev is day %s and next day %s", i, dayOf(n.Prev), dayOf(n.Next))
		}
	}
}

func TestFirstUsableSkipsWhatCannotBeShown(t *testing.T) {
	tl := captures(
		cdx.Capture{Time: at(0), Status: 200},
		cdx.Capture{Time: at(3), Status: 301, Redirect: page},
		cdx.Capture{Time: at(4), Kind: cdx.Revisit, Status: 200},
	)
	if c := timeline.FirstUsable(at(4), tl.Closest(at(4))); dayOf(c) != "0" {
		t.Errorf("got day %s", dayOf(c))
	}
	if c := timeline.FirstUsable(at(4), captures(tl.Captures[1:]...).Closest(at(4))); c != nil {
		t.Errorf("got day %s where none can be shown", dayOf(c))
	}
	if c := timeline.FirstUsable(at(0), failing); c != nil {
		t.Errorf("got %+v from a sequence that fails", c)
	}
}

// failing is a sequence that ends at once, with an error.
var failing iter.Seq2[*cdx.Capture, error] = func(yield func(*cdx.Capture, error) bool) { yield(nil, archivetest.ErrBroken) }

func TestFirstOfCopiesTheFirstCapture(t *testing.T) {
	tl := captures(cdx.Capture{Time: at(0)}, cdx.Capture{Time: at(1)})
	c, err := timeline.FirstOf(tl.Closest(at(1)))
	if err != nil || dayOf(c) != "1" {
		t.Fatalf("got day %s, %v", dayOf(c), err)
	}
	if c.Status = 1; tl.Captures[1].Status != 0 {
		t.Error("it is no copy")
	}
	if c, err := timeline.FirstOf(captures().Closest(at(0))); c != nil || err != nil {
		t.Errorf("of none: %+v, %v", c, err)
	}
	if _, err := timeline.FirstOf(failing); err == nil {
		t.Error("an error is swallowed")
	}
}

func TestMementoAtStandsInForACaptureThatIsGone(t *testing.T) {
	tl := captures(cdx.Capture{Time: at(0), Status: 200})
	if c := timeline.MementoAt(tl, at(0)); c != &tl.Captures[0] {
		t.Errorf("got %+v", c)
	}
	if c := timeline.MementoAt(tl, at(1)); c.Key != tl.Key || c.Time != at(1) || c.URL != "" {
		t.Errorf("got %+v", c)
	}
}
