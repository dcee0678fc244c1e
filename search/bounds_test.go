package search

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change/diff"
)

func TestLanguages(t *testing.T) {
	stop, err := newStopWords()
	if err != nil {
		t.Fatal(err)
	}
	guess := func(text string) language {
		c := newComparer()
		numbers := c.version(text)
		return stop.languageOf(c.words, numbers)
	}
	english := stop.lists["the"]
	filler := strings.Repeat(" qqq", 39)
	for _, test := range []struct {
		name, text string
		stops      string // a word of the language that English has as a word with a meaning
		in         bool
	}{
		{"German", "der Hund und die Katze sind nicht mit ihm gegangen", "und", true},
		{"English", "the dog and the cat did not go with him", "und", false},
		{"one stop word in twenty is enough", "und" + filler[:19*4], "und", true},
		{"one in forty is not", "und" + filler, "und", false},
		{"one in twenty-one is not", "und" + filler[:20*4], "und", false},
		{"what comes late isn't looked at", strings.Repeat("the of and ", 200) + strings.Repeat("und der die ", 600), "und", false},
		{"no words", "", "und", false},
	} {
		l := guess(test.text)
		if l&english != english {
			t.Errorf("%s: English stop words count everywhere", test.name)
		}
		if got := stop.lists[test.stops]&l&^english != 0; got != test.in {
			t.Errorf("%s: %q is a stop word: %v", test.name, test.stops, got)
		}
	}
}

func TestSignificantTerms(t *testing.T) {
	stop, err := newStopWords()
	if err != nil {
		t.Fatal(err)
	}
	for term, want := range map[string]bool{
		"river": true, "the": false, "2016": false, "x": false, "é": false, "xy": true, "b2": true, "2b": true,
		"河": true, "一": true, "": false,
		"⺀": false, "\u2e80\u2e80": false, // radicals are signs, not letters
	} {
		if got := stop.significant(term, stop.lists["the"]); got != want {
			t.Errorf("%q: %v", term, got)
		}
	}
}

func TestKindsOfChangeByCounts(t *testing.T) {
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

// Two differences share a window if the words between them would stand in both.
func TestWindows(t *testing.T) {
	const n = contextWords
	for _, test := range []struct {
		name  string
		hunks []diff.Hunk
		a, b  int
		want  []window
	}{
		{"in the middle", []diff.Hunk{{A: 20, AEnd: 22, B: 20, BEnd: 21}}, 40, 39, []window{{20 - n, 22 + n, 20 - n, 21 + n}}},
		{"at the beginning", []diff.Hunk{{A: 0, AEnd: 1, B: 0, BEnd: 0}}, 40, 39, []window{{0, 1 + n, 0, n}}},
		{"near the end", []diff.Hunk{{A: 36, AEnd: 38, B: 36, BEnd: 37}}, 40, 39, []window{{36 - n, 40, 36 - n, 39}}},
		{
			"as near as one window reaches",
			[]diff.Hunk{{A: 10, AEnd: 11, B: 10, BEnd: 10}, {A: 11 + 2*n, AEnd: 12 + 2*n, B: 10 + 2*n, BEnd: 11 + 2*n}},
			60, 59,
			[]window{{10 - n, 12 + 3*n, 10 - n, 11 + 3*n}},
		},
		{
			"one word farther",
			[]diff.Hunk{{A: 10, AEnd: 11, B: 10, BEnd: 10}, {A: 12 + 2*n, AEnd: 13 + 2*n, B: 11 + 2*n, BEnd: 12 + 2*n}},
			60, 59,
			[]window{{10 - n, 11 + n, 10 - n, 10 + n}, {12 + n, 13 + 3*n, 11 + n, 12 + 3*n}},
		},
		{
			"few words between",
			[]diff.Hunk{{A: 10, AEnd: 11, B: 10, BEnd: 10}, {A: 14, AEnd: 15, B: 13, BEnd: 14}},
			60, 60,
			[]window{{10 - n, 15 + n, 10 - n, 14 + n}},
		},
	} {
		if diff := cmp.Diff(test.want, windows(test.hunks, test.a, test.b), cmp.AllowUnexported(window{})); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// Pages that went or came as a whole are told from pages that were edited by how many times shorter one version is.
func TestWholePages(t *testing.T) {
	page, missing := Version{First: 2001, Last: 2002, Text: 1}, Version{First: 2001, Last: 2002, Missing: true}
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
		c := changeOf("org,example)/", test.older, test.newer, test.a, test.b)
		if c.Gone != test.gone || c.Came != test.came {
			t.Errorf("%s: gone %v, came %v", test.name, c.Gone, c.Came)
		}
	}
}

func TestBoundsAreInclusiveExceptTheLastKey(t *testing.T) {
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
	} {
		c := Change{Key: test.key, After: cdx.Timestamp(test.after)}
		if got := b.wants(&c); got != test.want {
			t.Errorf("%s in %d: %v", test.key, test.after, got)
		}
	}
}

// The rarer a term, the more it weighs (BM25): ln(1 + (N - n + 0.5)/(n + 0.5)).
func TestInverseDocumentFrequency(t *testing.T) {
	for _, test := range []struct {
		df, docs uint64
		want     float64
	}{{1, 3, math.Log(1 + 2.5/1.5)}, {3, 3, math.Log(1 + 0.5/3.5)}, {9, 3, math.Log(1 + 0.5/3.5)}, {0, 3, math.Log(1 + 3.5/0.5)}} {
		if got := idf(test.df, test.docs); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("in %d of %d: %v, want %v", test.df, test.docs, got, test.want)
		}
	}
}

func TestTermsAreCutAtTheirBound(t *testing.T) {
	at, above := strings.Repeat("a", maxTerm), strings.Repeat("a", maxTerm+1)
	if term(at) != at {
		t.Error("a term of the greatest length was cut")
	}
	if got := term(above); got == above || !strings.HasPrefix(got, above[:maxTerm/2]+"\x01") || got == term(above+"b") {
		t.Errorf("a longer one became %q", got)
	}
}

func TestQueriesAtTheirBounds(t *testing.T) {
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
	if q, err := Parse(phrases(maxPhrases)); err != nil || len(q.Phrases) != maxPhrases {
		t.Errorf("%d words: %v", maxPhrases, err)
	}
	if _, err := Parse(phrases(maxPhrases + 1)); err != ErrLong {
		t.Errorf("%d words: %v", maxPhrases+1, err)
	}
}

func TestBrokenChangeIDsAreRefused(t *testing.T) {
	whole := (&Change{Key: "org,example)/", Before: 1, After: 2, Deleted: 3, Added: 4}).id()
	for n := range len(whole) {
		if c, err := parseChange(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes: %v", n, len(whole), c)
		}
	}
	for _, id := range []string{"x" + whole[1:], whole[:1] + whole[len("org,example)/")+1:]} {
		if c, err := parseChange(id); err == nil {
			t.Errorf("%q: %v", id, c)
		}
	}
}
