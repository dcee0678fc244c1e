package timeline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// looks are the days on which a page looked different from before, and those of which there is a picture.
type looks struct{ at, pictured []int }

func (l looks) Splits(context.Context, string, string, string) (at, pictured []cdx.Timestamp, err error) {
	return days14(l.at), days14(l.pictured), nil
}

func days14(days []int) (all []cdx.Timestamp) {
	for _, i := range days {
		all = append(all, at(i))
	}
	return all
}

// A version ends where the look changed, also if its text stayed. It is open if one of its captures that show the page has no picture.
func TestVersionsByTheirLooks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		history string
		looks   looks
		want    string // for each version, days of the first and the last good capture, captures, and whether it is open
	}{
		{"a a a", looks{nil, []int{0, 1, 2}}, "0-2:3"},
		{"a a a", looks{nil, []int{0, 2}}, "0-2:3?"},
		{"a a a", looks{[]int{1}, []int{0, 1, 2}}, "0-0:1 1-2:2"},
		{"a a a", looks{[]int{0, 1, 2}, []int{0, 1}}, "0-0:1 1-1:1 2-2:1?"},
		{"a a b b", looks{[]int{1, 2, 3, 9}, []int{0}}, "0-0:1 1-1:1? 2-2:1? 3-3:1?"},
		{"a 503 a a b", looks{[]int{2}, []int{0, 2, 3, 4}}, "0-0:2 2-3:2 4-4:1"},
		{"503 a 503 503 a", looks{[]int{4}, []int{1, 4}}, "0-0:1 1-1:3 4-4:1"},
		{">" + page + " a a a", looks{[]int{2, 3}, []int{1, 2, 3}}, "1-1:2 2-2:1 3-3:1"},
		{"a >" + page + " a", looks{[]int{2}, []int{0, 2}}, "0-0:2 2-2:1"},
		{"a 404 a", looks{nil, []int{0}}, "0-0:1 1-1:1 2-2:1?"},
	} {
		s, _ := open(t, days(page, strings.Fields(tt.history)...)...)
		all := timeline.New(timeline.Config{View: s.Index, Comparer: tt.looks})
		list, err := all.ChangesOf(t.Context(), uris, page, change.LevelVisual)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, r := range list.Ranges {
			line := fmt.Sprintf("%s-%s:%d", dayAt(r.First), dayAt(r.Last), r.Captures)
			if r.Open {
				line += "?"
			}
			if got = append(got, line); i > 0 && list.Ranges[i-1].Until == nil {
				t.Errorf("%s: version %d has no end", tt.history, i-1)
			}
		}
		if got := strings.Join(got, " "); got != tt.want || list.Looked == nil || *list.Looked != len(tt.looks.pictured) {
			t.Errorf("%s with %v: %s, want %s", tt.history, tt.looks, got, tt.want)
		}
	}
}

func dayAt(ts14 string) string {
	ts, _ := cdx.ParseTimestamp(ts14)
	return dayOf(&cdx.Capture{Time: ts})
}

// Where nobody made pictures there are no versions by looks; who wants any gets those of the content.
func TestPagesThatWereNotPictured(t *testing.T) {
	t.Parallel()
	s, _ := open(t, days(page, "a", "b", "b")...)
	for name, pictures := range map[string]timeline.Comparer{"no pictures": looks{}, "nobody looks": nil} {
		all := timeline.New(timeline.Config{View: s.Index, Comparer: pictures})
		if _, err := all.ChangesOf(t.Context(), uris, page, change.LevelVisual); !errors.Is(err, timeline.ErrNotPictured) {
			t.Errorf("%s: %v", name, err)
		}
		if ranges, err := all.Ranges(t.Context(), "web", surt.Of(page), 3, change.LevelVisual); err != nil || len(ranges) != 2 {
			t.Errorf("%s: %d versions, %v", name, len(ranges), err)
		}
	}
}

// A version that is divided where its look changed keeps which of its captures don't show the page.
func TestLooksOfCapturesThatDoNotShowThePage(t *testing.T) {
	t.Parallel()
	long, wall := strings.Repeat(acid, 3), "Something went wrong"
	s, _ := open(t, days(page, long, wall, long, wall, long, wall)...)
	all := timeline.New(timeline.Config{View: s.Index, Comparer: looks{[]int{4}, []int{0, 2, 4}}})
	ranges, err := all.Ranges(t.Context(), "web", surt.Of(page), 6, change.LevelVisual)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, r := range ranges {
		got += fmt.Sprintf("%d-%d/%d %v ", r.FirstIndex, r.LastIndex, r.Captures, r.Unshown)
	}
	if want := "0-2/4 [1 3] 4-4/2 [5] "; got != want || ranges[1].Change.Similarity != 1 {
		t.Errorf("%s, want %s; %+v", got, want, ranges[1].Change)
	}
	for want, pictured := range map[bool][]int{false: {0, 2, 4}, true: {0, 4}} { // a picture of a wall is missed by nobody
		all := timeline.New(timeline.Config{View: s.Index, Comparer: looks{[]int{4}, pictured}})
		list, err := all.ChangesOf(t.Context(), uris, page, change.LevelVisual)
		if err != nil || len(list.Ranges) != 2 || list.Ranges[0].Open != want || list.Ranges[1].Open {
			t.Errorf("pictured on %v: %+v, %v", pictured, list, err)
		}
	}
}

// An address of which two spellings were captured has the pictures of its own captures.
func TestVersionsOfASpellingByTheirLooks(t *testing.T) {
	t.Parallel()
	records := append(days(page, "a", "a", "a"), archivetest.Record{Date: day(3), URI: strings.ToUpper(page), Body: "<p>b"})
	s, _ := open(t, records...)
	all := timeline.New(timeline.Config{View: s.Index, Comparer: looks{[]int{1}, []int{0, 1, 2}}})
	tl, err := all.Spelled(t.Context(), "web", page)
	if err != nil || len(tl.Captures) != 3 {
		t.Fatalf("%v, %v", tl, err)
	}
	if ranges, err := tl.Ranges(change.LevelVisual); err != nil || len(ranges) != 2 {
		t.Errorf("%d versions, %v", len(ranges), err)
	}
}
