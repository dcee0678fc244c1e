package comparison

import (
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/banner"
)

// What led to no page has a shape of its own.
func TestLifeShowsWhatIsNoPage(t *testing.T) {
	l := newLife([]lifeBar{
		{Other: true, Kind: banner.KindError},
		{Added: 1},
		{Other: true, Kind: banner.KindMissing},
		{Other: true},
		{Other: true, Kind: banner.KindRedirect},
	}, nil)
	const ends = "M0 4h0m0 16h0m0 16h0M500 4v10m0 12v10M1000 4v16h8"
	kinds := []banner.Kind{banner.KindRedirect, banner.KindMissing, banner.KindError}
	if l.ends != ends || l.other != "M750 4v32" || !slices.Equal(l.kinds, kinds) {
		t.Errorf("%+v", l)
	}
}

func TestLifeShowsEachChange(t *testing.T) {
	l := newLife([]lifeBar{{Added: 1}, {Deleted: 1000, Added: 5000}, {}, {Other: true}, {Deleted: 1}}, []int{1, 4})
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
	if newLife(nil, nil) != nil {
		t.Error("no changes are drawn")
	}
}

// However many changes there are, the drawing stays small, and a change that stands out among its neighbours stays
// visible.
func TestLifeOfThousandsOfChangesIsSmall(t *testing.T) {
	bars, all := make([]lifeBar, 50_000), make([]int, 50_000)
	for i := range bars {
		bars[i], all[i] = lifeBar{Added: 1, Deleted: i % 7}, i
	}
	bars[24_990].Added = 5000
	l := newLife(bars, all)
	if n := len(l.added) + len(l.deleted) + len(l.other) + len(l.terms); n > 9000 {
		t.Errorf("the drawing has %d bytes", n)
	}
	if n := strings.Count(l.added, "v-16"); n != 1 {
		t.Errorf("%d bars are as tall as can be, want one", n)
	}
}
