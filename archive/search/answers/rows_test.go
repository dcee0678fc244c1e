package answers

import (
	"math"
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/query"
)

func TestRangesOfValues(t *testing.T) {
	inf := math.Inf(1)
	const day = 24 * 60 * 60
	for _, tt := range []struct {
		of       fields.Type
		typed    string
		from, to float64
		ok       bool
	}{
		{fields.Number, "10..20", 10, 20, true},
		{fields.Number, "10..", 10, inf, true},
		{fields.Number, "..20", -inf, 20, true},
		{fields.Number, "15", 15, 15, true},
		{fields.Number, "..", 0, 0, false},
		{fields.Number, "", 0, 0, false},
		{fields.Number, "a..20", 0, 0, false},
		{fields.Number, "10..b", 0, 0, false},
		{fields.Date, "1970-01-02", day, 2*day - 1, true},
		{fields.Date, "1970", 0, 365*day - 1, true},
		{fields.Date, "1970-01..1970-01-03", 0, 3*day - 1, true},
		{fields.Date, "2 January 1970", day, 2*day - 1, true},
		{fields.Date, "January 2, 1970..4 January 1970", day, 4*day - 1, true},
		{fields.Date, "soon", 0, 0, false},
		{fields.Date, "1970..soon", 0, 0, false},
	} {
		r, ok := rangeOf(tt.of, tt.typed)
		if ok != tt.ok || ok && (r.From != tt.from || r.To != tt.to) {
			t.Errorf("%s: %v, %v; want %v to %v", tt.typed, r, ok, tt.from, tt.to)
		}
	}
}

func TestWordsOfRows(t *testing.T) {
	values := fields.Values{"name": {"old mill wheel"}, "place": {"river", "weir"}}
	for typed, want := range map[string]int{
		"mill": 1, "mill weir": 2, "mill inn": 1, `"old mill"`: 1, `"mill old"`: 0, `"weir wheels"`: 0, "whe*": 1, "inn*": 0,
		"title:mill": 0, "url:mill": 0, "inn": 0, "inn~": 1, // the search has found what is like it
	} {
		q, err := query.Parse(typed)
		if err != nil {
			t.Fatal(err)
		}
		if got := countWanted(values, q.Wanted()); got != want {
			t.Errorf("%s: %d, want %d", typed, got, want)
		}
	}
	for _, tt := range []struct {
		clause query.Clause
		want   bool
	}{
		{query.Clause{Field: query.Named}, true},
		{query.Clause{Field: query.Named, Group: 1}, false},
		{query.Clause{Field: query.Named, Optional: true}, false},
		{query.Clause{}, false},
	} {
		if got := demandsValue(tt.clause); got != tt.want {
			t.Errorf("%+v: %v", tt.clause, got)
		}
	}
}
