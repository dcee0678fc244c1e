package duplicates

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

func captures(n int) (out []cdx.Capture) {
	for i := range n {
		out = append(out, cdx.Capture{URL: fmt.Sprintf("http://a.example/%d", i), Time: cdx.Timestamp(20200101000000 + i)})
	}
	return out
}

// A page shows the first hundred captures of a group, and of equal pictures how they look.
func TestWhatIsShownOfAGroup(t *testing.T) {
	uris := memento.URIs{Coll: "web"}
	groups := []duplicates.Group{
		{Kind: duplicates.Mirror, Similarity: 0.9, Captures: captures(101), Hosts: []duplicates.HostShare{{}}},
		{Kind: duplicates.Picture, Similarity: 1, Captures: captures(100)},
		{Kind: duplicates.Copy, Similarity: 0.8, Captures: captures(2)},
	}
	all := groupsOf(uris, groups, 0, 3)
	if len(all) != 3 {
		t.Fatalf("%d groups", len(all))
	}
	for i, want := range []struct {
		shown, total, hosts int
		picture             string
	}{{100, 101, 1, ""}, {100, 100, 0, "/web/20200101000000im_/http://a.example/0"}, {2, 2, 0, ""}} {
		g := all[i]
		if len(g.Captures) != want.shown || g.Total != want.total || len(g.Hosts) != want.hosts || g.Picture != want.picture ||
			g.Kind != groups[i].Kind || g.Similarity.Value != groups[i].Similarity || !g.Similarity.Known {
			t.Errorf("%d: %d of %d captures, %d hosts, picture %q", i, len(g.Captures), g.Total, len(g.Hosts), g.Picture)
		}
		for j, c := range g.Captures {
			if is := groups[i].Captures[j]; c.URIR != is.URL || c.Time != is.Time || c.Href != uris.Memento(is.Time, "", is.URL) {
				t.Errorf("%d, capture %d: %+v", i, j, c)
			}
		}
	}
	for from := range 5 {
		for limit := 1; limit <= 4; limit++ {
			if got := len(groupsOf(uris, groups, from, limit)); got != max(0, min(limit, 3-from)) {
				t.Errorf("%d behind %d: %d", limit, from, got)
			}
		}
	}
}

// Limits are taken exactly, and what is not said has its default.
func TestParametersAtTheirLimits(t *testing.T) {
	for ask, want := range map[string]query{
		"":                                     {},
		"limit=1":                              {limit: 1},
		"limit=10000":                          {limit: 10_000},
		fmt.Sprint("from=", math.MaxInt/2):     {from: math.MaxInt / 2},
		"from=0&across=true&pairs=0":           {Query: duplicates.Query{Across: true}},
		"pairs=1":                              {pairs: true},
		fmt.Sprint("from=", math.MaxInt/2+1):   {limit: -1},
		"limit=10001":                          {limit: -1},
		"limit=0":                              {limit: -1},
		"from=-1":                              {limit: -1},
		"limit=1.5":                            {limit: -1},
		"across=yes":                           {limit: -1},
		"threshold=1.1":                        {limit: -1},
		"threshold=1&limit=2&from=3&across=on": {limit: -1},
	} {
		asked, err := url.ParseQuery(ask)
		if err != nil {
			t.Fatal(err)
		}
		got, err := params(respond.Path{Coll: "web", Params: asked})
		want.Coll, want.Threshold = "web", duplicates.Near
		if want.limit < 0 {
			if f := respond.AsFailure(err); err == nil || f.Status != 400 {
				t.Errorf("%s: %v", ask, err)
			}
		} else if err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", ask, got, err, want)
		}
	}
}

const words = "acid rain harms lakes forests fish soils and stone"

// alike returns an archive of two pages with one text.
func alike(t *testing.T) (*archive.Archive, *archivetest.Shelf) {
	t.Helper()
	shelf := archivetest.Keep(t, archivetest.On("2020", "http://a.example/", archivetest.Prose(words)),
		archivetest.On("2020", "http://b.example/", archivetest.Prose(words)))
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	return a, shelf
}

// What was found is found again without a search, until the index changes. Only a few results are kept: each may be large.
func TestResultsAreKeptUntilTheIndexChanges(t *testing.T) {
	t.Parallel()
	a, shelf := alike(t)
	kept := &cache{busy: make(chan struct{}, 1)}
	find := func(threshold float64) *duplicates.Found {
		t.Helper()
		found, err := kept.find(t.Context(), a, duplicates.Query{Coll: "web", Threshold: threshold})
		if err != nil || found.Threshold != threshold {
			t.Fatalf("%v: %+v", err, found)
		}
		return found
	}
	first := find(0.7)
	for i := range maxCached - 1 {
		find(0.8 + float64(i)/100)
	}
	if find(0.7) != first || len(kept.known) != maxCached {
		t.Errorf("%d results are kept, the first of them: %v", len(kept.known), kept.known)
	}
	if find(0.9); len(kept.known) > maxCached {
		t.Errorf("%d results are kept", len(kept.known))
	}
	before := find(0.7)
	shelf.Add(t, archivetest.On("2021", "http://c.example/", archivetest.Prose(words)))
	n := func(f *duplicates.Found) (n int) {
		for i := range f.Groups {
			n += len(f.Groups[i].Captures)
		}
		return n
	}
	if after := find(0.7); n(after) != n(before)+1 {
		t.Errorf("%d captures, %d with one more", n(before), n(after))
	}
}

// Who leaves while another search runs waits no longer, and a search that was given up is kept by nobody.
func TestWhoLeavesWaitsNoLonger(t *testing.T) {
	t.Parallel()
	a, _ := alike(t)
	kept := &cache{busy: make(chan struct{}, 1)}
	gone, leave := context.WithCancel(t.Context())
	leave()
	kept.busy <- struct{}{}
	q := duplicates.Query{Coll: "web", Threshold: 0.7}
	if _, err := kept.find(gone, a, q); !errors.Is(err, context.Canceled) {
		t.Errorf("behind another search: %v", err)
	}
	<-kept.busy
	for range 20 { // both the search and the end may come first
		if _, err := kept.find(gone, a, q); !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
	}
	if found, err := kept.find(t.Context(), a, q); err != nil || len(found.Groups) == 0 {
		t.Errorf("afterwards: %+v, %v", found, err)
	}
}
