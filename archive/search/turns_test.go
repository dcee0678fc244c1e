package search_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/cdx"
)

// The changes that the index names must be those found by counting in all texts.
func TestTurns(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 5))
	words := strings.Fields("acid rain falls on the old lake and fog falls on rain")
	f := &fake{pages: map[string][]string{"org,example)/other": {"acid rain", "fog"}}}
	const key = "org,example)/rain"
	for i := range 60 {
		text := []string{fmt.Sprintf("number%d", i)}
		for range 12 + r.IntN(30) {
			text = append(text, words[r.IntN(len(words))])
		}
		if i%20 == 19 {
			text = []string{"-"}
		}
		f.pages[key] = append(f.pages[key], strings.Join(text, " "))
	}
	long := strings.Join(strings.Fields(f.pages[key][3])[1:13], " ")
	x := open(t, "")
	update(t, x, f)
	page := search.Page{Key: key, Signature: xxh3.HashString(strings.Join(f.pages[key], "\x00"))}
	for _, q := range []string{
		"rain", "fog acid", `"acid rain"`, `"rain falls on"`, `"falls on the old lake and fog"`, `"` + long + `"`,
		"number7", "nowhere", `"rain nowhere"`,
	} {
		query, err := search.Parse(q)
		if err != nil {
			t.Fatal(err)
		}
		turns, known, err := x.Turns(t.Context(), page, query)
		if err != nil || !known {
			t.Fatalf("%s: known %v, %v", q, known, err)
		}
		var want, got []cdx.Timestamp
		for i := range f.pages[key] {
			older := ""
			if i > 0 {
				older = f.at(key, year(i-1))
			}
			for _, p := range query.Phrases {
				if p.Count(search.Words(older)) != p.Count(search.Words(f.at(key, year(i)))) {
					want = append(want, year(i))
					break
				}
			}
		}
		for _, turn := range turns {
			got = append(got, turn.After)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", q, d)
		}
	}
	page.Signature++
	rain, _ := search.Parse("rain")
	if turns, known, err := x.Turns(t.Context(), page, rain); known || len(turns) > 0 || err != nil {
		t.Errorf("of a page that has changed since: %v, known %v, %v", turns, known, err)
	}
}
