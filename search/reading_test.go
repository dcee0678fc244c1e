package search_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/search"
)

// moreThanTheIndexTells returns pages that lost a phrase while its words, and pairs of them, remain elsewhere. Only
// reading the text tells whether the phrase remains.
func moreThanTheIndexTells(pages int) *fake {
	f := &fake{pages: map[string][]string{}}
	far := strings.Repeat(" other words", 10) + " one two apart and two three apart"
	for i := range pages {
		f.pages[fmt.Sprintf("org,example)/%02d", i)] = []string{"here one two three ends" + far, "here it ends" + far}
	}
	return f
}

func TestReadsBoundsTheVersionsRead(t *testing.T) {
	f := moreThanTheIndexTells(20)
	x := open(t, "")
	update(t, x, f)
	query, err := search.Parse(`"one two three"`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ reads, total, untold, asked int }{{0, 20, 0, 20}, {20, 20, 0, 20}, {7, 7, 13, 7}} {
		f.asked.Store(0)
		a, err := x.Search(t.Context(), search.Request{Query: query, Limit: 100, Reads: test.reads}, f)
		if err != nil {
			t.Fatal(err)
		}
		if a.Total != test.total || a.Untold != test.untold || int(f.asked.Load()) != test.asked {
			t.Errorf("with %d reads: %d found, %d untold, %d read; want %+v", test.reads, a.Total, a.Untold, f.asked.Load(), test)
		}
	}
}

// An archive with a missing file must still answer for the other files.
func TestUnreadableVersionsAreCounted(t *testing.T) {
	f := moreThanTheIndexTells(5)
	x := open(t, "")
	update(t, x, f)
	f.lost = map[string]bool{"org,example)/01": true, "org,example)/03": true}
	for _, phrase := range []string{`"one two three"`, `"here one two three ends other words other words"`} {
		query, err := search.Parse(phrase)
		if err != nil {
			t.Fatal(err)
		}
		a, err := x.Search(t.Context(), search.Request{Query: query, Limit: 100}, f)
		if err != nil {
			t.Fatal(err)
		}
		if a.Total != 3 || a.Untold != 2 {
			t.Errorf("%s: %d found, %d untold; want 3 and 2", phrase, a.Total, a.Untold)
		}
	}
}
