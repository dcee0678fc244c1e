package timeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
)

// A capture has a kind of its own, which may not be that of its version: the kind, whether it is a soft 404, the kind that its place tells,
// and whether it is a page.
func TestKindsOfCaptures(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(acid, 3)
	sorry := "<title>Page not found</title><p>Sorry."
	records := append(days(page, long, "503", "404", ">/other", sorry, long), archivetest.Record{
		Date: day(6), URI: page, Body: "%PDF", Head: "Content-Type: application/pdf\n",
	})
	s, _ := open(t, records...)
	tl := timelineOf(t, s, page)
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range tl.Captures {
		c := &tl.Captures[i]
		kind, soft := timeline.KindAt(c, ranges, timeline.RangeOf(ranges, c.Time))
		isPage, err := s.Timelines.IsPage(t.Context(), "web", c)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %t %s %t", kind, soft, timeline.PlaceOf(tl, ranges, c, 1).Kind(c), isPage))
	}
	want := []string{
		"page false page true", "missing false missing true", "missing false missing false", "redirect false redirect false",
		"missing true missing false", "page false page true", "resource false resource true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if is, err := s.Timelines.IsPage(t.Context(), "web", &cdx.Capture{Key: "example,never)/"}); is || err != nil {
		t.Errorf("what was never captured is a page: %t, %v", is, err)
	}
	for status, want := range map[int]change.Kind{200: change.Resource, 399: change.Redirect, 400: change.Missing} {
		c := &cdx.Capture{Status: status}
		if kind, soft := timeline.KindAt(c, nil, -1); kind != want || soft || new(timeline.Place).Kind(c) != want {
			t.Errorf("status %d without ranges is %s", status, kind)
		}
	}
}

// A place names the captures of the version, and those at the ends of the versions beside it.
func TestPlacesOfCaptures(t *testing.T) {
	t.Parallel()
	s, _ := open(t, days(page, "one", "one", "503", "two", "two", "two", "three", "three")...)
	tl := timelineOf(t, s, page)
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range tl.Captures {
		p := timeline.PlaceOf(tl, ranges, &tl.Captures[i], 2)
		line := fmt.Sprintf("%d of %d, capture %d, after %s, before %s:", p.Number, p.Versions, p.At, dayOf(p.Last), dayOf(p.Next))
		for i := range p.Captures {
			line += " " + dayOf(&p.Captures[i])
		}
		got = append(got, line)
	}
	want := []string{
		"0 of 3, capture 1, after none, before 3: 0 1", "0 of 3, capture 2, after none, before 3: 0 1",
		"0 of 3, capture 3, after none, before 3: 0 1", "1 of 3, capture 1, after 1, before 6: 3 4",
		"1 of 3, capture 2, after 1, before 6: 3 4", "1 of 3, capture 3, after 1, before 6: 3 4",
		"2 of 3, capture 1, after 5, before none: 6 7", "2 of 3, capture 2, after 5, before none: 6 7",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p := timeline.PlaceOf(tl, nil, &tl.Captures[0], 2); p.Number != -1 || p.Range != nil || p.At != 0 || p.Captures != nil {
		t.Errorf("without versions: %+v", p)
	}
}

// The capture of a URI-M is that of its second, or else one nearby.
func TestMementoNear(t *testing.T) {
	t.Parallel()
	tl := captures(cdx.Capture{Time: at(1), Status: 404}, cdx.Capture{Time: at(1), Status: 200}, cdx.Capture{Time: at(5), Status: 200})
	for i, want := range []string{"1 200", "1 200", "1 200", "1 200", "5 200", "5 200", "5 200"} {
		if c := tl.MementoNear(at(i)); fmt.Sprint(dayOf(c), " ", c.Status) != want {
			t.Errorf("day %d: day %s, status %d; want %s", i, dayOf(c), c.Status, want)
		}
	}
	if c := captures().MementoNear(at(0)); c != nil {
		t.Errorf("of none: %+v", c)
	}
}

// Where a page has one text and no picture, versions by text are those by content, and need not be told twice.
func TestTextAndContent(t *testing.T) {
	t.Parallel()
	for history, want := range map[string]string{
		"one|one": "1 0", "one|two": "2 2", "one|<nav>x</nav>one": "2 1", "<img src=/a.jpg>one|<img src=/b.jpg>one": "1 2",
	} {
		s, _ := open(t, days(page, strings.Split(history, "|")...)...)
		text, content, err := timelineOf(t, s, page).TextAndContent()
		if got := fmt.Sprint(len(text), " ", len(content)); got != want || err != nil {
			t.Errorf("%s: %s, want %s, %v", history, got, want, err)
		}
	}
}
