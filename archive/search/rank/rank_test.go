package rank_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/rank"
)

func ptr(v float64) *float64 { return &v }

func noLists(language string) ([]string, error) {
	if language == "en" {
		return []string{"the", "of"}, nil
	}
	return nil, errors.New("no list for " + language)
}

func ranking(t testing.TB, s rank.Settings, synonyms string) *rank.Ranking {
	t.Helper()
	list, err := rank.ReadSynonyms(strings.NewReader(synonyms))
	if err != nil {
		t.Fatal(err)
	}
	r, err := rank.New(s, list, noLists)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func parse(t testing.TB, typed string) query.Query {
	t.Helper()
	q, err := query.Parse(typed)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestPrepare(t *testing.T) {
	r := ranking(t, rank.Settings{StopWords: []string{"Und"}, StopLanguages: []string{"en"}, ShortestWord: 3}, "")
	for typed, want := range map[string]string{
		"the flood of und":   "flood",
		`"the flood" the`:    `"the flood"`,
		"the of":             "the of",
		"a flood":            "flood",
		"title:the flood":    "title:the flood",
		"flood -the":         "flood -the",
		"the site:a.example": "the site:a.example",
		"水 the":              "水",
	} {
		if got := r.Prepare(parse(t, typed)).String(); got != want {
			t.Errorf("%s is prepared as %s, want %s", typed, got, want)
		}
	}
}

func TestSynonyms(t *testing.T) {
	r := ranking(t, rank.Settings{}, "# cars\ncar, automobile, motor vehicle\n\nEPA => environmental protection agency # one way\n")
	for typed, want := range map[string]string{
		"car":             "[[automobile] [motor vehicle]]",
		`"motor vehicle"`: "[[car] [automobile]]",
		"epa":             "[[environmental protection agency]]",
		"agency":          "[]",
		"car*":            "[]",
		"url:car":         "[]",
	} {
		if got := fmt.Sprint(r.Prepare(parse(t, typed)).Clauses[0].Or); got != want {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
	for _, bad := range []string{"alone", "=> a", "a =>", "a, b\n, ,"} {
		if _, err := rank.ReadSynonyms(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// two are documents in a collection in which 10 of 100 have the first clause and one the second.
var two = &search.Statistics{Documents: 100, MeanWords: 50, Having: []int{10, 1}}

func TestScore(t *testing.T) {
	plain := search.Match{Words: 50, Versions: 1, Text: []int{1, 0}, Title: []int{0, 0}, URL: []int{0, 0}}
	with := func(change func(m *search.Match)) *search.Match {
		m := plain
		change(&m)
		return &m
	}
	more := func(name string, s rank.Settings, greater, less *search.Match) {
		t.Helper()
		score := ranking(t, s, "").Score(parse(t, "river flood"))
		if a, b := score(two, greater), score(two, less); a <= b {
			t.Errorf("%s: %f is not more than %f", name, a, b)
		}
	}
	twice := with(func(m *search.Match) { m.Text = []int{2, 0} })
	title := with(func(m *search.Match) { m.Title = []int{1, 0} })
	url := with(func(m *search.Match) { m.URL = []int{1, 0} })
	heading := with(func(m *search.Match) { m.Heading = []int{1, 0} })
	long := with(func(m *search.Match) { m.Words = 500 })
	rare := with(func(m *search.Match) { m.Text = []int{0, 1} })
	old := with(func(m *search.Match) { m.Versions = 20 })
	more("more often", rank.Settings{}, twice, &plain)
	more("in the title too", rank.Settings{}, title, url)
	more("in the address too", rank.Settings{}, url, &plain)
	more("in a heading too", rank.Settings{}, heading, &plain)
	more("the title weighs nothing", rank.Settings{Weights: rank.Weights{Title: ptr(0)}}, url, title)
	more("in a short text", rank.Settings{}, &plain, long)
	more("length counts nothing", rank.Settings{B: ptr(0), Boost: "words"}, long, &plain)
	more("a rare word", rank.Settings{}, rare, &plain)
	more("a word of weight", rank.Settings{Words: map[string]float64{"River": 20}}, &plain, rare)
	inMenu := with(func(m *search.Match) { m.Furniture = []int{1, 0} })
	more("in the text, not in a menu", rank.Settings{}, &plain, inMenu)
	more("in a menu, by weight", rank.Settings{Weights: rank.Weights{Furniture: ptr(2)}}, inMenu, &plain)
	more("the newest version's menus count as what a text has of them", rank.Settings{}, inMenu,
		with(func(m *search.Match) { m.Words, m.Furniture = 51, []int{9, 0} }))
	more("… and no less", rank.Settings{}, with(func(m *search.Match) { m.Words, m.Furniture = 49, []int{9, 0} }), inMenu)
	linked := with(func(m *search.Match) { m.Inlinks = 5 })
	more("a formula over links", rank.Settings{Boost: "log(1+versions) + 0.2*inlinks"}, linked, &plain)
	more("by the texts of links", rank.Settings{}, with(func(m *search.Match) { m.Anchors = []int{1, 0} }), &plain)
	more("by many", rank.Settings{}, with(func(m *search.Match) { m.Anchors = []int{9, 0} }),
		with(func(m *search.Match) { m.Anchors = []int{2, 0} }))
	more("links weigh nothing", rank.Settings{Weights: rank.Weights{Anchors: ptr(0)}, Boost: "1 + inlinks"}, linked,
		with(func(m *search.Match) { m.Anchors = []int{9, 0} }))
	more("a formula", rank.Settings{Boost: "log(1 + versions)"}, old, &plain)
	more("another", rank.Settings{Boost: `mime == "text/html" ? 2 : 1`}, with(func(m *search.Match) { m.Version.MIME = "text/html" }), &plain)
	if got := ranking(t, rank.Settings{K1: ptr(0)}, "").Score(parse(t, "river"))(two, twice); math.Abs(got-math.Log(1+90.5/10.5)) > 1e-9 {
		t.Errorf("with k1 = 0 a score is the rarity: %f", got)
	}
}

// The history of a match is read only where its title, its score or a field of a template counts.
func TestWhatARankingReads(t *testing.T) {
	t.Parallel()
	column := fields.Column{Name: "votes", Type: fields.Number}
	for _, tt := range []struct {
		of             rank.Settings
		whole, inlinks bool
	}{
		{rank.Settings{}, false, false},
		{rank.Settings{Boost: "versions"}, false, false},
		{rank.Settings{Boost: "versions + inlinks"}, false, true},
		{rank.Settings{Add: "inlinks"}, false, true},
		{rank.Settings{Boost: "len(title)"}, true, false},
		{rank.Settings{Add: "score"}, true, false},
		{rank.Settings{Add: "votes"}, true, false},
		{rank.Settings{Only: []string{"votes"}}, true, false},
	} {
		r, err := rank.New(tt.of, nil, noLists, column)
		if err != nil || r.Whole() != tt.whole || r.Inlinks() != tt.inlinks {
			t.Errorf("%+v: its history %t, its links %t, %v", tt.of, r.Whole(), r.Inlinks(), err)
		}
	}
}

func TestFormulasThatGiveNoNumberAreZero(t *testing.T) {
	m := &search.Match{Words: 0, Versions: 1, Text: []int{1}, Title: []int{0}, URL: []int{0}}
	for _, formula := range []string{"log(words)", "0 - versions", "1 / words", "sqrt(0 - 1)"} {
		if got := ranking(t, rank.Settings{Boost: formula}, "").Score(parse(t, "river"))(two, m); got != 0 {
			t.Errorf("%s gives %f", formula, got)
		}
	}
}

// What is added is added to a page whatever boosts it, and no score is below zero.
func TestAScoreIsAddedTo(t *testing.T) {
	m := &search.Match{Words: 9, Versions: 3, Text: []int{1}, Title: []int{0}, URL: []int{0}}
	for _, tt := range []struct {
		boost, add string
		want       float64
	}{
		{"0", "versions", 3},
		{"0 - versions", "versions", 3},
		{"0", "0 - versions", 0},
		{"0", "1 / (versions - 3)", 0},
		{"1 / (versions - 3)", "2", 2},
	} {
		if got := ranking(t, rank.Settings{Boost: tt.boost, Add: tt.add}, "").Score(parse(t, "river"))(two, m); got != tt.want {
			t.Errorf("boost %s, add %s: %v, want %v", tt.boost, tt.add, got, tt.want)
		}
	}
}

func TestFaultySettingsAreRefused(t *testing.T) {
	for want, s := range map[string]rank.Settings{
		"k1: -1":                     {K1: ptr(-1)},
		"b: 2":                       {B: ptr(2)},
		"weights: title":             {Weights: rank.Weights{Title: ptr(-3)}},
		"weights: anchors: 2000":     {Weights: rank.Weights{Anchors: ptr(2000)}},
		"not one word":               {Words: map[string]float64{"two words": 1}},
		"add: unknown name links":    {Add: "1 + links"},
		"words: flood":               {Words: map[string]float64{"flood": -1}},
		"stop_languages: no list":    {StopLanguages: []string{"xx"}},
		"shortest_word: 99":          {ShortestWord: 99},
		"boost: unknown name links":  {Boost: "1 + links"},
		"(1:11)":                     {Boost: "versions +* 2"},
		"boost: expected float64":    {Boost: `"text"`},
		"boost: unexpected token EO": {Boost: "log("},
	} {
		_, err := rank.New(s, nil, noLists)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", s, err, want)
		}
	}
}

func FuzzBoost(f *testing.F) {
	for _, s := range []string{
		"log(1+versions)", "log(1+versions) + 0.2*inlinks", "score", "lang == 'en' ? 1 : 2", "1/0",
		"len(title)", "log(", `title[5]`, "map(1..3, # * 2)",
	} {
		f.Add(s)
	}
	m := &search.Match{Words: 10, Versions: 3, Text: []int{1}, Title: []int{0}, URL: []int{0}}
	f.Fuzz(func(t *testing.T, formula string) {
		r, err := rank.New(rank.Settings{Boost: formula}, nil, noLists)
		if err != nil || len(formula) > 100 {
			return
		}
		if s := r.Score(query.Query{Clauses: []query.Clause{{Words: []string{"a"}}}})(two, m); s < 0 || math.IsNaN(s) || math.IsInf(s, 0) {
			t.Errorf("%s gives %f", formula, s)
		}
	})
}

func Example() {
	r, _ := rank.New(rank.Settings{Boost: "log(1 + versions)"}, nil, nil)
	q, _ := query.Parse("flood")
	q = r.Prepare(q)
	score := r.Score(q)
	found := search.Match{Words: 100, Versions: 9, Text: []int{3}}
	fmt.Printf("%.2f\n", score(&search.Statistics{Documents: 1000, MeanWords: 200, Having: []int{12}}, &found))
	// Output: 17.76
}

// Formulas use fields of templates; a page that lacks one has the value that the ranking says.
func TestFormulasUseFields(t *testing.T) {
	t.Parallel()
	columns := []fields.Column{{Name: "votes", Type: fields.Number}, {Name: "since", Type: fields.Date}, {Name: "brand", Type: fields.Text}}
	with := fields.Values{"votes": {"30"}, "since": {"1970-01-11"}, "brand": {"Acme", "Other"}}.Pack()
	for _, test := range []struct {
		name     string
		settings rank.Settings
		packed   string
		want     float64 // beside a score of 2
	}{
		{"multiplied", rank.Settings{Boost: "1 + votes/10"}, with, 8},
		{"missing", rank.Settings{Boost: "1 + votes/10"}, "", 2},
		{"missing, with a value said", rank.Settings{Boost: "1 + votes/10", Missing: map[string]float64{"votes": 5}}, "", 3},
		{"of a template that a crawl left", rank.Settings{Boost: "reviews", Missing: map[string]float64{"reviews": 4}}, "", 8},
		{"a function", rank.Settings{Boost: "log10(votes + 70)"}, with, 4},
		{"a date", rank.Settings{Boost: "since / 10"}, with, 2},
		{"a text", rank.Settings{Boost: `brand == "Acme" ? 3 : 1`}, with, 6},
		{"added", rank.Settings{Add: "votes"}, with, 32},
		{"both", rank.Settings{Boost: "2", Add: "votes"}, with, 34},
		{"taken away, but not below nothing", rank.Settings{Add: "-votes"}, with, 0},
		{"only in a field", rank.Settings{Only: []string{"brand"}}, with, 1},
		{"in no field that counts", rank.Settings{Only: []string{"title"}}, with, 0},
	} {
		r, err := rank.New(test.settings, nil, noLists, columns...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		usual := rank.Default()
		m := &search.Match{Text: []int{1}, Version: search.Version{Fields: test.packed}}
		s := &search.Statistics{Documents: 10, Having: []int{2}}
		q := parse(t, "acme")
		unit := usual.Score(q)(s, m)
		want := test.want
		switch {
		case test.settings.Add != "" && test.want > 0:
			want = unit*map[bool]float64{true: 2, false: 1}[test.settings.Boost != ""] + 30
		case len(test.settings.Only) > 0:
			want *= unit
		default:
			want *= unit / 2
		}
		if got := r.Score(q)(s, m); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", test.name, got, want)
		}
	}
	score := func(s rank.Settings) float64 {
		r, err := rank.New(s, nil, noLists, columns...)
		if err != nil {
			t.Fatal(err)
		}
		m := &search.Match{Text: []int{1}, Version: search.Version{Fields: with}}
		return r.Score(parse(t, "acme"))(&search.Statistics{Documents: 10, Having: []int{2}}, m)
	}
	brand := rank.Weights{Fields: map[string]float64{"brand": 2}}
	if heavy, usual := score(rank.Settings{Weights: brand}), score(rank.Settings{}); heavy <= usual {
		t.Errorf("with a weight for the field it is in: %v, without %v", heavy, usual)
	}
	if got := score(rank.Settings{Weights: brand, Only: []string{"title"}}); got != 0 {
		t.Errorf("in a field of weight that is left out: %v", got)
	}
	if _, err := rank.New(rank.Settings{Boost: "nonsense"}, nil, noLists); err == nil || strings.Contains(err.Error(), "fields of templates") {
		t.Errorf("where there are no templates: %v", err)
	}
	for name, s := range map[string]rank.Settings{
		"the fields of templates are": {Boost: "log(1 + nonsense)"}, "neither a part of a page": {Only: []string{"nonsense"}},
		"stop_words: /(/":                 {StopWords: []string{"/(/"}},
		"weights: fields: brand: 2000 is": {Weights: rank.Weights{Fields: map[string]float64{"brand": 2000}}},
	} {
		if _, err := rank.New(s, nil, noLists, columns...); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want %q: %v", name, err)
		}
	}
	r, err := rank.New(rank.Settings{StopWords: []string{"/[0-9]+/"}}, nil, noLists)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Prepare(parse(t, "flood 1996 x1")).String(); got != "flood x1" {
		t.Errorf("without numbers: %q", got)
	}
}
