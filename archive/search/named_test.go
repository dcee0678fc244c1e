package search_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
)

// A shop is an archive whose pages have a price and the names of makers, as their texts say.
type shop struct{ *fake }

func (s shop) Text(ctx context.Context, key string, v search.Version) (search.Text, error) {
	t, err := s.fake.Text(ctx, key, v)
	values := fields.Values{}
	for _, w := range strings.Fields(s.at(key, v.First)) {
		if name, value, ok := strings.Cut(w, "="); ok {
			values[name] = append(values[name], strings.ReplaceAll(value, "_", " "))
		}
	}
	t.Fields = values.Pack()
	return t, err
}

func TestNamedFields(t *testing.T) {
	t.Parallel()
	set, err := fields.NewSet([]fields.Rule{{Fields: []fields.Field{
		{Name: "price", CSS: "b", Type: fields.Number}, {Name: "maker", CSS: "i", All: true}, {Name: "sold", CSS: "u", Type: fields.Date},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	x := open(t, "")
	x.SetFields(set)
	update(t, x, shop{&fake{pages: map[string][]string{
		"org,example)/a": {"ladder price=10 maker=Old_Mill sold=2016-03-01"},
		"org,example)/b": {"ladder price=-2.5 maker=mill maker=Wood", "ladder price=200 maker=Wood sold=2015-01-01"},
		"org,example)/c": {"ladder price=9 maker=Stone", "-"},
		"org,example)/d": {"ladder"},
		"org,example)/e": {"ladder gone=3"},
	}}})
	price := func(from, to float64) search.Clause {
		return search.Clause{Field: search.FieldNamed, Name: "price", Numbers: &search.Range{From: from, To: to}}
	}
	maker := func(words ...string) search.Clause {
		return search.Clause{Field: search.FieldNamed, Name: "maker", Any: []search.Phrase{words}}
	}
	ladder := search.Clause{Any: []search.Phrase{{"ladder"}}}
	for _, test := range []struct {
		name string
		req  search.PresentRequest
		want string
	}{
		{"a range has its ends", search.PresentRequest{All: []search.Clause{price(9, 10)}}, "a c"},
		{"less than nothing", search.PresentRequest{All: []search.Clause{price(math.Inf(-1), 0)}}, "b"},
		{"no upper end", search.PresentRequest{All: []search.Clause{price(10, math.Inf(1))}}, "a b"},
		{"not in a range", search.PresentRequest{All: []search.Clause{ladder}, None: []search.Clause{price(9, 10)}}, "b d e"},
		{"a word of a value", search.PresentRequest{All: []search.Clause{maker("mill")}}, "a b"},
		{"a phrase of a value", search.PresentRequest{All: []search.Clause{maker("old", "mill")}}, "a"},
		{"words of two values are no phrase", search.PresentRequest{All: []search.Clause{maker("mill", "wood")}}, ""},
		{"then", search.PresentRequest{All: []search.Clause{maker("mill")}, At: year(1)}, "a"},
		{"and in the text", search.PresentRequest{All: []search.Clause{ladder, maker("stone")}}, "c"},
	} {
		test.req.Limit = 9
		if got := pagesFound(t, x, test.req, true); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	for sort, want := range map[string]string{"price": "b c a", "-price": "a c b", "maker": "b a c", "sold": "a"} {
		by, falling := strings.CutPrefix(sort, "-")
		req := search.PresentRequest{All: []search.Clause{ladder}, Limit: 9, Order: search.Order{Sort: search.ByField, By: by, Falling: falling}}
		got := pagesFound(t, x, req, false)
		if len(got) != len("a b c d e") || !strings.HasPrefix(got, want) { // those without a value come last
			t.Errorf("sorted by %s: %q, want %q", sort, got, want)
		}
	}
	for _, req := range []search.PresentRequest{
		{All: []search.Clause{{Field: search.FieldNamed, Name: "gone", Any: []search.Phrase{{"3"}}}}},
		{All: []search.Clause{ladder}, Order: search.Order{Sort: search.ByField, By: "gone"}},
	} {
		if _, err := x.Present(t.Context(), req); err == nil {
			t.Errorf("%+v is answered", req)
		}
	}
}

// pagesFound returns the last letters of the pages that are found.
func pagesFound(t *testing.T, x *search.Index, req search.PresentRequest, sorted bool) string {
	t.Helper()
	a, err := x.Present(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range a.Hits {
		out = append(out, h.Key[len(h.Key)-1:])
	}
	if sorted {
		slices.Sort(out)
	}
	return strings.Join(out, " ")
}
