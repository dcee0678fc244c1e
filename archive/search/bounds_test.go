package search

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/cdx"
)

func TestKindsOfChangeByCounts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ before, after, deleted, semi, added int }{
		{0, 0, 0, 0, 0},
		{3, 0, 3, 0, 0},
		{3, 1, 0, 2, 0},
		{3, 3, 0, 0, 0},
		{1, 3, 0, 0, 0},
		{0, 3, 0, 0, 3},
	} {
		var got [3]int
		for i, k := range []Kind{Deleted, SemiDeleted, Added} {
			got[i] = times(k, test.before, test.after)
		}
		if got != [3]int{test.deleted, test.semi, test.added} {
			t.Errorf("from %d to %d: %v", test.before, test.after, got)
		}
	}
}

func TestKindNames(t *testing.T) {
	t.Parallel()
	for _, k := range []Kind{Deleted, SemiDeleted, Added} {
		if got, err := ParseKind(k.String()); err != nil || got != k {
			t.Errorf("%s: %v %v", k, got, err)
		}
	}
	if k, err := ParseKind(""); err != nil || k != Deleted {
		t.Errorf("none: %v %v", k, err)
	}
	if _, err := ParseKind("moved"); err == nil || !strings.Contains(err.Error(), "moved") {
		t.Errorf("moved: %v", err)
	}
}

// Pages that went or came as a whole are told from pages that were edited by how many times shorter one version is.
func TestWholePages(t *testing.T) {
	t.Parallel()
	page, missing := Version{First: 2001, Last: 2002}, Version{First: 2001, Last: 2002, Missing: true}
	for _, test := range []struct {
		name         string
		older, newer Version
		a, b         int
		gone, came   bool
	}{
		{"edited", page, page, 100, 99, false, false},
		{"cut to what counts as gone", page, page, 100 * goneRatio, 100, true, false},
		{"cut a word less", page, page, 100*goneRatio - 1, 100, false, false},
		{"grown to what counts as new", page, page, 100, 100 * goneRatio, false, true},
		{"grown a word less", page, page, 100, 100*goneRatio - 1, false, false},
		{"emptied", page, page, 5, 0, true, false},
		{"removed", page, missing, 5, 0, true, false},
		{"back", missing, page, 0, 5, false, true},
		{"the first", Version{}, page, 0, 5, false, true},
		{"of no words at all", page, page, 0, 0, false, true},
	} {
		rows := []history.Row{{Version: test.older, Words: test.a}, {Version: test.newer, Words: test.b}}
		c := changeTo("org,example)/", rows, 1)
		if c.Gone != test.gone || c.Came != test.came {
			t.Errorf("%s: gone %v, came %v", test.name, c.Gone, c.Came)
		}
	}
}

func TestBoundsAreInclusiveExceptTheLastKey(t *testing.T) {
	t.Parallel()
	b := Bounds{From: "org,example)/b", To: "org,example)/d", Also: "org,example)/x", Since: 2010, Until: 2012}
	for _, test := range []struct {
		key   string
		after int
		want  bool
	}{
		{"org,example)/a", 2011, false},
		{"org,example)/b", 2011, true},
		{"org,example)/c", 2010, true},
		{"org,example)/c", 2012, true},
		{"org,example)/c", 2009, false},
		{"org,example)/c", 2013, false},
		{"org,example)/d", 2011, false},
		{"org,example)/x", 2011, true},
		{"org,example)/x?a=1", 2011, true},
		{"org,example)/x2", 2011, false},
		{"org,example)/x/a", 2011, false},
	} {
		c := Change{Key: test.key, After: cdx.Timestamp(test.after)}
		if got := b.wants(&c); got != test.want {
			t.Errorf("%s in %d: %v", test.key, test.after, got)
		}
	}
}

// The rarer a term, the more it weighs (BM25): ln(1 + (N - n + 0.5)/(n + 0.5)).
func TestInverseDocumentFrequency(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		df, docs uint64
		want     float64
	}{{1, 3, math.Log(1 + 2.5/1.5)}, {3, 3, math.Log(1 + 0.5/3.5)}, {9, 3, math.Log(1 + 0.5/3.5)}, {0, 3, math.Log(1 + 3.5/0.5)}} {
		if got := idf(test.df, test.docs); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("in %d of %d: %v, want %v", test.df, test.docs, got, test.want)
		}
	}
}

func TestQueriesAtTheirBounds(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("a", MaxQuery)
	if _, err := Parse(longest); err != nil {
		t.Errorf("%d bytes: %v", MaxQuery, err)
	}
	if _, err := Parse(longest + "a"); err != ErrLong {
		t.Errorf("%d bytes: %v", MaxQuery+1, err)
	}
	phrases := func(n int) string {
		var words []string
		for i := range n {
			words = append(words, "w"+strings.Repeat("x", i))
		}
		return strings.Join(words, " ")
	}
	if q, err := Parse(phrases(64)); err != nil || len(q.Phrases) != 64 {
		t.Errorf("64 words: %v", err)
	}
	if _, err := Parse(phrases(65)); err != ErrLong {
		t.Errorf("65 words: %v", err)
	}
}

// Which of the versions of a page a request looks at.
func TestWantedVersions(t *testing.T) {
	t.Parallel()
	c := &candidate{docName: docName{last: true}, Table: &history.Table{Rows: []history.Row{
		{Version: Version{First: 2001, Last: 2002, MIME: "text/html", Status: 200, Lang: "en"}, Carried: true},
		{Version: Version{First: 2003, Last: 2004, Missing: true}},
		{Version: Version{First: 2005, Last: 2006, Soft404: true}},
		{Version: Version{First: 2007, Last: 2008, MIME: "text/plain", Status: 203, Lang: "de"}},
	}}}
	for _, tt := range []struct {
		name string
		req  PresentRequest
		want string // the rows, from 0
	}{
		{"all", PresentRequest{}, "3"}, // what is carried is of the part before
		{"as of the first", PresentRequest{At: 2001}, "0"},
		{"until the next began", PresentRequest{At: 2002}, "0"},
		{"when it was missing", PresentRequest{At: 2003}, ""},
		{"now", PresentRequest{At: 2099}, "3"},
		{"before all", PresentRequest{At: 2000}, ""},
		{"until its beginning", PresentRequest{Bounds: Bounds{Until: 2007}}, "3"},
		{"before it", PresentRequest{Bounds: Bounds{Until: 2006}}, ""},
		{"since its end", PresentRequest{Bounds: Bounds{Since: 2008}}, "3"},
		{"after it", PresentRequest{Bounds: Bounds{Since: 2009}}, ""},
		{"of its type", PresentRequest{MIME: "text/plain"}, "3"},
		{"of another", PresentRequest{MIME: "text/html"}, ""},
		{"in its language", PresentRequest{Lang: "de", Status: 203}, "3"},
		{"in another", PresentRequest{Lang: "en"}, ""},
		{"of another status", PresentRequest{Status: 200}, ""},
	} {
		p, got := &presence{req: tt.req}, ""
		for i := range c.Rows {
			if p.wants(c, i) {
				got += strconv.Itoa(i)
			}
		}
		if got != tt.want {
			t.Errorf("%s: rows %q, want %q", tt.name, got, tt.want)
		}
	}
	c.last = false // the next part begins with the last version, and knows when it ended
	if (&presence{req: PresentRequest{At: 2099}}).wants(c, 3) {
		t.Error("the last version of a part that is not the last is wanted now")
	}
}

func TestBoundsAreNarrowed(t *testing.T) {
	for _, tt := range []struct{ of, to, want Bounds }{
		{Bounds{}, Bounds{From: "b", To: "d"}, Bounds{From: "b", To: "d"}},
		{Bounds{From: "b", To: "d"}, Bounds{}, Bounds{From: "b", To: "d"}},
		{Bounds{From: "b", To: "d"}, Bounds{From: "c", To: "e"}, Bounds{From: "c", To: "d"}},
		{Bounds{From: "b", To: "d"}, Bounds{From: "a", To: "c"}, Bounds{From: "b", To: "c"}},
		{Bounds{From: "b", To: "d"}, Bounds{From: "c/", To: "c0", Also: "c"}, Bounds{From: "c/", To: "c0", Also: "c"}},
		{Bounds{From: "b", To: "c"}, Bounds{From: "c/", To: "c0", Also: "c"}, Bounds{From: "c/", To: "c"}},
		{Bounds{From: "c/", To: "c0", Also: "c"}, Bounds{From: "b", To: "d"}, Bounds{From: "c/", To: "c0", Also: "c"}},
		{Bounds{From: "c/", To: "c0", Also: "c"}, Bounds{From: "d", To: "e"}, Bounds{From: "d", To: "c0"}},
		{Bounds{Since: 1, Until: 3}, Bounds{Since: 2}, Bounds{Since: 1, Until: 3}},
	} {
		got := tt.of
		if got.Narrow(tt.to); got != tt.want {
			t.Errorf("%+v to %+v: %+v, want %+v", tt.of, tt.to, got, tt.want)
		}
	}
}
