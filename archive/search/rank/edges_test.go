package rank_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/rank"
)

// The scores are computed by hand from the formula of BM25, with the weights 1, 2 and 0.5 of text, title and address.
func TestScoreIsBM25(t *testing.T) {
	for _, tt := range []struct {
		name  string
		typed string
		stats search.Statistics
		match search.Match
		want  float64
	}{
		{
			"all fields, in a text twice as long as the mean", "river",
			search.Statistics{Documents: 100, MeanWords: 50, Having: []int{10}},
			search.Match{Words: 100, Text: []int{3}, Title: []int{1}, URL: []int{2}},
			3.6891,
		},
		{
			"a weight of its own, twice", "flood",
			search.Statistics{Documents: 100, MeanWords: 50, Having: []int{10}},
			search.Match{Words: 100, Text: []int{3}, Title: []int{1}, URL: []int{2}},
			2 * 3.6891,
		},
		{
			"no mean length is known, nor who has the word", "river",
			search.Statistics{Documents: 100},
			search.Match{Words: 100, Text: []int{1}},
			0.0050,
		},
		{
			"more have it than there are", "river",
			search.Statistics{Documents: 100, Having: []int{5000}},
			search.Match{Words: 100, Text: []int{1}},
			0.0050,
		},
		{
			"a clause that the match says nothing of", "stone river",
			search.Statistics{Documents: 100, MeanWords: 50, Having: []int{10}},
			search.Match{Words: 100, Text: []int{3}, Title: []int{1}, URL: []int{2}},
			3.6891,
		},
		{
			"only in another form, which is worth less", "river",
			search.Statistics{Documents: 100, MeanWords: 50, Having: []int{10}},
			search.Match{Words: 100, Text: []int{3}, Title: []int{1}, URL: []int{2}, Formed: []bool{true}},
			3.6891 * search.FormWeight,
		},
		{"nowhere", "river", search.Statistics{Documents: 100, MeanWords: 50, Having: []int{10}}, search.Match{Words: 100, Text: []int{0}}, 0},
	} {
		r := ranking(t, rank.Settings{Words: map[string]float64{"flood": 2}}, "")
		if got := r.Score(parse(t, tt.typed))(&tt.stats, &tt.match); math.Abs(got-tt.want) > 1e-4 {
			t.Errorf("%s: %.4f, want %.4f", tt.name, got, tt.want)
		}
	}
}

func TestBoundsOfSettings(t *testing.T) {
	for name, s := range map[string]rank.Settings{
		"b is 1":            {B: ptr(1)},
		"b and k1 are 0":    {B: ptr(0), K1: ptr(0)},
		"k1 is 100":         {K1: ptr(100)},
		"shortest_word: 10": {ShortestWord: 10},
	} {
		if _, err := rank.New(s, nil, noLists); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := rank.New(rank.Settings{ShortestWord: 11}, nil, noLists); err == nil {
		t.Error("a shortest word of 11 letters is taken")
	}
	if _, err := rank.New(rank.Settings{K1: ptr(math.NaN())}, nil, noLists); err == nil {
		t.Error("k1 that is no number is taken")
	}
	nowhere := &search.Match{Words: 1, Text: []int{1, 0}}
	if got := ranking(t, rank.Settings{K1: ptr(0)}, "").Score(parse(t, "river flood"))(two, nowhere); math.IsNaN(got) {
		t.Error("with k1 = 0 a word that is nowhere makes the score no number")
	}
	zero := ranking(t, rank.Settings{Boost: "versions"}, "").Score(parse(t, "river"))
	if got := zero(two, &search.Match{Words: 1, Text: []int{1}}); got != 0 {
		t.Errorf("a formula that gives 0 makes %f", got)
	}
}

func TestShortWords(t *testing.T) {
	r := ranking(t, rank.Settings{ShortestWord: 3}, "")
	for typed, want := range map[string]string{
		"of flood": "flood", "the flood": "the flood", "né flood": "flood", "été flood": "été flood",
		"\u3400 flood": "\u3400 flood",
	} {
		if got := r.Prepare(parse(t, typed)).String(); got != want {
			t.Errorf("%s is prepared as %s, want %s", typed, got, want)
		}
	}
}

func TestSynonymsOfTitles(t *testing.T) {
	r := ranking(t, rank.Settings{}, "car, automobile")
	for typed, want := range map[string]string{"title:car": "[[automobile]]", "url:car": "[]", "car~": "[]"} {
		if got := fmt.Sprint(r.Prepare(parse(t, typed)).Clauses[0].Or); got != want {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
	if got := (query.Clause{}).Field; got != query.Anywhere {
		t.Errorf("a clause is of field %v unless one is named", got)
	}
}

func TestLinesOfSynonyms(t *testing.T) {
	many := func(n int) string {
		var words []string
		for i := range n {
			words = append(words, fmt.Sprintf("w%d", i))
		}
		return strings.Join(words, ", ")
	}
	for list, want := range map[string]string{
		"a, b":                   "",
		many(50):                 "",
		many(51):                 "line 1",
		"a => " + many(50):       "",
		"a => " + many(51):       "line 1",
		many(51) + " => a":       "line 1",
		"a => b":                 "",
		"a, b\n# none\n\nalone":  "line 4",
		"a, b\nc, d\nlast => , ": "line 3",
	} {
		_, err := rank.ReadSynonyms(strings.NewReader(list))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want+":")) {
			t.Errorf("%.40q: %v, want %q", list, err, want)
		}
	}
}
