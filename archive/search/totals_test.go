package search_test

import (
	"testing"

	"github.com/varve-archive/varve/archive/search"
)

// The totals of all kinds are those of a search for each.
func TestTotalsAreThoseOfEachSearch(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{
		"org,example)/a": {"acid rain rain", "acid rain", "acid", "-", "acid rain and fog"},
		"org,example)/b": {"rain", "rain rain", "fog"},
		"com,example)/c": {"rain"},
	}}
	x := open(t, "")
	update(t, x, f)
	for _, q := range []string{"rain", "acid rain", `"acid rain"`, "fog", "nothing"} {
		query, err := search.Parse(q)
		if err != nil {
			t.Fatal(err)
		}
		for name, req := range map[string]search.Request{
			"all":    {},
			"a host": {Bounds: search.Bounds{From: "com,", To: "com-"}},
			"years":  {Bounds: search.Bounds{Since: year(1), Until: year(2)}},
			"a page": {Page: "org,example)/b"},
		} {
			req.Query = query
			got, untold, err := x.Totals(t.Context(), req)
			if err != nil || untold != 0 {
				t.Fatal(untold, err)
			}
			for k, n := range got {
				req.Kind = search.Kind(k)
				a, err := x.Search(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				if n != a.Total {
					t.Errorf("%s, %s, %s: %d, want %d", q, name, req.Kind, n, a.Total)
				}
			}
		}
	}
	query, _ := search.Parse("rain")
	if got, _, err := x.Totals(t.Context(), search.Request{Query: query}); err != nil || got != (search.Totals{2, 1, 4}) {
		t.Errorf("rain: %v, %v", got, err)
	}
}
