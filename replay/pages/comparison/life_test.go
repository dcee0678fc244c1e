package comparison

import (
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
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
	for changes, want := range map[int]string{1: "M0 0v40", 2: "M1000 0v40"} {
		if got := newLife(make([]lifeBar, changes), nil).cursor(changes - 1); got != want {
			t.Errorf("the last of %d changes is at %s, want %s", changes, got, want)
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

// Between two versions there may be captures that show something else. What changed from, to or among these belongs to the pair.
func TestPairsIncludeWhatIsBetweenTheirVersions(t *testing.T) {
	t.Parallel()
	sl := &slide{ranges: []change.Range{{First: 1, Last: 2}, {First: 5, Last: 7}, {First: 8, Last: 9}}}
	for _, tt := range []struct {
		last, first cdx.Timestamp
		pair        int
		exactly     bool
	}{
		{2, 5, 0, true},
		{7, 8, 1, true},
		{2, 3, 0, false},
		{3, 4, 0, false},
		{4, 5, 0, false},
		{1, 2, -1, false},
		{6, 7, -1, false},
		{9, 10, -1, false},
	} {
		if pair, exactly := sl.pairOf(tt.last, tt.first); pair != tt.pair || exactly != tt.exactly {
			t.Errorf("from %d to %d: pair %d, exactly %t, want %d, %t", tt.last, tt.first, pair, exactly, tt.pair, tt.exactly)
		}
	}
}

// A change of a page can be played if both of its texts are known, differ, and are shown by pages.
func TestWhatCanBePlayed(t *testing.T) {
	page := func(text uint64, status int, mime string) *cdx.Capture {
		return &cdx.Capture{Time: cdx.Timestamp(20200101000000 + text), Status: status, MIME: mime, Text: text}
	}
	for _, tt := range []struct {
		name         string
		older, newer *cdx.Capture
		want         bool
	}{
		{"two pages", page(1, 200, "text/html"), page(2, 200, "text/html"), true},
		{"a page that became a text", page(1, 200, "application/xhtml+xml"), page(2, 200, "text/plain"), true},
		{"a page without a type", page(1, 200, ""), page(2, 200, "text/html"), true},
		{"a text that became a page", page(1, 200, "text/plain"), page(2, 200, "text/html"), false},
		{"the same text", page(1, 200, "text/html"), page(1, 200, "text/html"), false},
		{"a missing page", page(1, 200, "text/html"), page(2, 404, "text/html"), false},
		{"without a text", page(0, 200, "text/html"), page(2, 200, "text/html"), false},
		{"nothing to compare with", page(1, 200, "text/html"), nil, false},
	} {
		c := &comparison{older: tt.older, newer: tt.newer}
		if got := c.watchURI(memento.URIs{Coll: "web"}, "http://a.example/"); (got != "") != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
