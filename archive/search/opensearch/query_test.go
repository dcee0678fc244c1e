package opensearch

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/varve-archive/varve/archive/search"
)

// What readers ask, as the engine is asked. The conformance suite tests what engines answer.
func TestQuestionsToAnEngine(t *testing.T) {
	t.Parallel()
	one, two := search.Phrase{"mill"}, search.Phrase{"old", "mill"}
	below, above := &search.Range{From: math.Inf(-1), To: 7}, &search.Range{From: 3, To: math.Inf(1)}
	text := func(any ...search.Phrase) *search.Clause { return &search.Clause{Field: search.FieldText, Any: any} }
	named := func(of *search.Range, any ...search.Phrase) object {
		return clause(&search.Clause{Field: search.FieldNamed, Name: "n", Any: any, Numbers: of}, manyPhrases)
	}
	mills := text(one)
	mills.Forms = []search.Phrase{{"mills"}}
	var many []search.Phrase
	words := ""
	for i := range manyPhrases {
		many = append(many, search.Phrase{fmt.Sprint("mill", i)})
		words += fmt.Sprintf(`"mill%d",`, i)
	}
	for _, tt := range []struct {
		name string
		got  any
		want string
	}{
		{"a word", clause(text(one), manyPhrases), `{"term":{"text":"mill"}}`},
		{
			"a phrase", clause(&search.Clause{Field: search.FieldTitle, Any: []search.Phrase{two}}, manyPhrases),
			`{"match_phrase":{"title":"old mill"}}`,
		},
		{
			"one of two", clause(&search.Clause{Field: search.FieldURL, Any: []search.Phrase{one, two}}, manyPhrases),
			`{"bool":{"minimum_should_match":1,"should":[{"term":{"address":"mill"}},{"match_phrase":{"address":"old mill"}}]}}`,
		},
		{
			"other forms, with less weight", clause(mills, manyPhrases),
			`{"dis_max":{"queries":[{"term":{"text":"mill"}},{"bool":{"boost":0.8,"must":{"term":{"text":"mills"}}}}]}}`,
		},
		{"nothing", phrases("text", nil, manyPhrases), `{"match_none":{}}`},
		{"more words than are asked for one by one", phrases("text", append(many, one), manyPhrases), `{"terms":{"text":[` + words + `"mill"]}}`},
		{
			"and a phrase among them", phrases("text", append(many, two), manyPhrases),
			`{"bool":{"minimum_should_match":1,"should":[{"match_phrase":{"text":"old mill"}},{"terms":{"text":[` + words[:len(words)-1] + `]}}]}}`,
		},
		{"a value", named(nil, one), `{"term":{"named.n.words":"mill"}}`},
		{"at most", named(below), `{"range":{"named.n.number":{"lte":7}}}`},
		{"at least", named(above), `{"range":{"named.n.number":{"gte":3}}}`},
		{"everywhere", within(&search.Bounds{}), "null"},
		{"from a key", within(&search.Bounds{From: "a"}), `[{"range":{"key":{"gte":"a"}}}]`},
		{
			"below an address", within(&search.Bounds{From: "a/", To: "a0", Also: "a"}), `[{"bool":{"minimum_should_match":1,"should":[` +
				`{"range":{"key":{"gte":"a/","lt":"a0"}}},{"term":{"key":"a"}},{"range":{"key":{"gte":"a?","lt":"a@"}}}]}}]`,
		},
	} {
		if got, err := json.Marshal(tt.got); err != nil || string(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A swap of two letters counts once, as it does for other engines.
func TestSimilarWordsOfAVocabulary(t *testing.T) {
	t.Parallel()
	x, _ := fails(t, says(200, `{"aggregations":{"words":{"buckets":[
		{"key":{"word":"acid"},"doc_count":2},{"key":{"word":"adic"},"doc_count":1},{"key":{"word":"adci"},"doc_count":1}]}}}`))
	var got []search.Term
	for near, err := range x.Similar(t.Context(), search.FieldURL, "acdi", 1, "") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, near)
	}
	if want := "[{acid 2} {adci 1}]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}
