package versions

import (
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/fixture"
)

func TestWhatACaptureShows(t *testing.T) {
	tl := fixture.Timeline(20150101000000, 20150102000000)
	ranges := fixture.Versions(20150101000000)
	ranges[0].Unshown = []int{1}
	failed := cdx.Capture{Status: 503, Location: cdx.Location{Offset: 9}}
	short := cdx.Capture{Status: 200, Truncated: true, Location: cdx.Location{Offset: 9}}
	for _, tt := range []struct {
		name string
		c    *cdx.Capture
		r    int
		want banner.Kind
	}{
		{"a page", &tl.Captures[0], 0, banner.KindPage},
		{"a wall", &tl.Captures[1], 0, banner.KindError},
		{"a failed capture", &failed, 0, banner.KindError},
		{"a failed capture before all versions", &failed, -1, banner.KindError},
		{"a capture that was cut short", &short, 0, banner.KindPage},
		{"a capture before all versions", &tl.Captures[0], -1, banner.KindPage},
	} {
		if got := ShownKind(tl, tt.c, ranges, tt.r); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	ranges[0].Kind = change.Missing
	if got := ShownKind(tl, &tl.Captures[0], ranges, 0); got != banner.KindMissing {
		t.Errorf("missing: %v", got)
	}
}

func TestLevelsOnPages(t *testing.T) {
	want := []banner.Level{banner.LevelContent, banner.LevelVisual, banner.LevelText, banner.LevelAny}
	var got []banner.Level
	for _, l := range Levels() {
		got = append(got, LevelOf(l))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestDifferencesOnPages(t *testing.T) {
	if got := DeltaOf(nil); got != (banner.Delta{}) {
		t.Errorf("an unknown one: %+v", got)
	}
	d := &sketch.Delta{Added: 1, Deleted: 2, Pictures: 3}
	if got := DeltaOf(d); got != (banner.Delta{Added: 1, Deleted: 2, Pictures: 3, Known: true}) {
		t.Errorf("%+v", got)
	}
}
