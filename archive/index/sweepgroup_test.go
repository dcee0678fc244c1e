package index

import (
	"slices"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// sets returns the groups under a band and hash, in order.
func sets(t *testing.T, x *Index, coll string, band int, hash uint32) [][]uint64 {
	t.Helper()
	var out [][]uint64
	for _, texts := range groupsOf(t, x, coll, band, hash) {
		out = append(out, texts)
	}
	slices.SortFunc(out, slices.Compare)
	return out
}

func TestTextsLeaveTheirGroups(t *testing.T) { onEachStore(t, testTextsLeaveTheirGroups) }

func testTextsLeaveTheirGroups(t *testing.T, open func(testing.TB) *Index) {
	for _, c := range []struct {
		name   string
		stay   []uint64 // texts of another file, which stays
		before [][]uint64
		after  [][]uint64
	}{
		{"some of several", []uint64{3, 5}, [][]uint64{{1, 2, 3, 4, 5}, {3, 5}}, [][]uint64{{3, 5}}},
		{"all but one, which is a single text then", []uint64{3}, [][]uint64{{1, 2, 3, 4, 5}, {3}}, [][]uint64{{3}}},
		{"all", nil, [][]uint64{{1, 2, 3, 4, 5}}, nil},
		{"what the other file's group has less of", []uint64{2, 3, 6}, [][]uint64{{1, 2, 3, 4, 5}, {2, 3, 6}}, [][]uint64{{2, 3}, {2, 3, 6}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := open(t)
			a := putTexts(t, x, "web", "a", 1, 2, 3, 4, 5)
			if c.stay != nil {
				putTexts(t, x, "web", "b", c.stay...)
			}
			putTexts(t, x, "other", "c", 1, 2, 3, 4, 5)
			if got := sets(t, x, "web", 0, 7); !slices.EqualFunc(got, c.before, slices.Equal) {
				t.Errorf("before: %v, want %v", got, c.before)
			}
			if err := x.RemoveFiles(t.Context(), a); err != nil {
				t.Fatal(err)
			}
			if got := sets(t, x, "web", 0, 7); !slices.EqualFunc(got, c.after, slices.Equal) {
				t.Errorf("after: %v, want %v", got, c.after)
			}
			if got := sets(t, x, "other", 0, 7); !slices.EqualFunc(got, [][]uint64{{1, 2, 3, 4, 5}}, slices.Equal) {
				t.Errorf("in the other collection: %v", got)
			}
			if n := entries(t, x, bandPrefix); n != len(c.after)+len(c.stay)+6 {
				t.Errorf("%d groups are left", n)
			}
		})
	}
}

func TestATextOfTwoCollectionsLeavesBoth(t *testing.T) {
	t.Parallel()
	onEachStore(t, testATextOfTwoCollectionsLeavesBoth)
}

func testATextOfTwoCollectionsLeavesBoth(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	a, b := putTexts(t, x, "web", "a", 1, 2), putTexts(t, x, "other", "b", 1, 2)
	w := x.Writer(t.Context(), "web") // at work, so both are swept together
	for _, id := range []cdx.FileID{a, b} {
		if err := x.RemoveFiles(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	w.Cancel()
	if err := (sweeper{x}).run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l, n, o := entries(t, x, bandPrefix), entries(t, x, textPrefix), entries(t, x, sweepPrefix); l+n+o != 0 {
		t.Errorf("%d groups, %d sketches, %d suspects are left of nothing", l, n, o)
	}
}

// A group may lose some of its texts in one round and others in the next.
func TestGroupsAreSweptInRounds(t *testing.T) { onEachStore(t, testGroupsAreSweptInRounds) }

func testGroupsAreSweptInRounds(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	a := putTexts(t, x, "web", "a", upTo(maxGone+MaxTextGroup)...)
	putTexts(t, x, "web", "b", 1, maxGone+MaxTextGroup)
	if err := x.RemoveFiles(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	want := [][]uint64{{1}, {1, maxGone + MaxTextGroup}, {maxGone + MaxTextGroup}}
	if got := sets(t, x, "web", 0, 7); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
	if l, n := entries(t, x, bandPrefix), entries(t, x, textPrefix); l != 5 || n != 2 {
		t.Errorf("%d groups and %d sketches are left", l, n)
	}
}
