package views

import (
	"strings"
	"testing"
)

func TestLifeShowsEachChange(t *testing.T) {
	l := NewLife([]LifeBar{{Added: 1}, {Deleted: 1000, Added: 5000}, {}, {Other: true}, {Deleted: 1}}, []int{1, 4})
	for name, c := range map[string]struct{ got, want string }{
		"added":   {l.added, "M0 20v-3M250 20v-16"},
		"deleted": {l.deleted, "M250 20v16M1000 20v3"},
		"other":   {l.other, "M500 15v10M750 4v32"},
		"terms":   {l.terms, "M250 2h0M1000 2h0"},
		"cursor":  {l.cursor(3), "M750 0v40"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
	if NewLife(nil, nil) != nil {
		t.Error("no changes are drawn")
	}
}

// However many changes there are, the drawing stays small, and a change that stands out among its neighbours stays
// visible.
func TestLifeOfThousandsOfChangesIsSmall(t *testing.T) {
	bars, all := make([]LifeBar, 50_000), make([]int, 50_000)
	for i := range bars {
		bars[i], all[i] = LifeBar{Added: 1, Deleted: i % 7}, i
	}
	bars[24_990].Added = 5000
	l := NewLife(bars, all)
	if n := len(l.added) + len(l.deleted) + len(l.other) + len(l.terms); n > 9000 {
		t.Errorf("the drawing has %d bytes", n)
	}
	if n := strings.Count(l.added, "v-16"); n != 1 {
		t.Errorf("%d bars are as tall as can be, want one", n)
	}
}
