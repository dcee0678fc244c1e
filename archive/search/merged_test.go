package search_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/search"
)

// Many words in place of one find the same from their postings as from the histories, whatever else is asked for.
func TestManyWordsFindTheSameFromPostings(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 5))
	f := &fake{pages: map[string][]string{}}
	for page := range 1200 { // more than are looked at one by one
		var versions []string
		for range 1 + r.IntN(4) {
			words := []string{"always"}
			for range r.IntN(12) {
				words = append(words, fmt.Sprintf("w%d", r.IntN(100)))
			}
			versions = append(versions, strings.Join(words, " "))
		}
		f.pages[fmt.Sprintf("org,example)/w%d/%d", page%60, page)] = versions
	}
	x := open(t, t.TempDir())
	update(t, x, f)
	many := func(field search.Field, from, to int) search.Clause {
		c := search.Clause{Field: field}
		for n := from; n < to; n++ {
			c.Any = append(c.Any, search.Phrase{fmt.Sprintf("w%d", n)})
		}
		return c
	}
	always := search.Clause{Any: []search.Phrase{{"always"}}}
	for name, req := range map[string]search.PresentRequest{
		"text":       {All: []search.Clause{many(search.FieldText, 0, 20)}},
		"two":        {All: []search.Clause{many(search.FieldText, 0, 20), many(search.FieldText, 50, 95)}},
		"address":    {All: []search.Clause{many(search.FieldURL, 5, 30)}},
		"excluded":   {All: []search.Clause{always}, None: []search.Clause{many(search.FieldText, 0, 70)}},
		"with a one": {All: []search.Clause{always, many(search.FieldText, 20, 90)}, Order: search.Order{Sort: search.ByLast, Falling: true}},
	} {
		req.Limit = 50
		got, err := x.Present(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		req.Whole = true
		want, err := x.Present(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if want.Total == 0 || want.Total == len(f.pages) && name != "with a one" {
			t.Errorf("%s: %d pages match", name, want.Total)
		}
		if d := cmp.Diff(summaryOf(want), summaryOf(got)); d != "" {
			t.Errorf("%s (-from histories +from postings):\n%s", name, d)
		}
	}
}

// summaryOf lists what an answer says.
func summaryOf(a *search.PresentAnswer) (out []string) {
	out = append(out, fmt.Sprint(a.Total, a.Untold, a.Hosts, a.Years, a.Chart))
	for _, h := range a.Hits {
		out = append(out, fmt.Sprintf("%s ×%d %s–%s %t %.4f %v", h.Key, h.Versions, h.First, h.Last, h.Still, h.Score, h.Best.Text))
	}
	return out
}
