package banners

import (
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

func TestTheBannerCountsWithinItsVersion(t *testing.T) {
	tl := fixture.Timeline(20150101000000, 20150102000000, 20150103000000, 20150104000000, 20150105000000)
	ranges := fixture.Versions(20150101000000, 20150102000000, 20150105000000)
	ranges[1].Last, ranges[1].Captures, ranges[1].Alternates = 20150104000000, 3, true
	uris := memento.URIs{Coll: "web"}
	for _, tt := range []struct {
		capture, version, number int
		listed                   int
		prev, next               string
		diff                     string
	}{
		{0, 0, 1, 1, "", "/web/20150102000000/http://a.example/", ""},
		{
			1, 1, 1, 3, "/web/20150101000000/http://a.example/", "/web/20150105000000/http://a.example/",
			"/web/diff/20150101000000/20150102000000/http://a.example/",
		},
		{
			3, 1, 3, 3, "/web/20150101000000/http://a.example/", "/web/20150105000000/http://a.example/",
			"/web/diff/20150101000000/20150104000000/http://a.example/",
		},
		{4, 2, 1, 1, "/web/20150104000000/http://a.example/", "", "/web/diff/20150104000000/20150105000000/http://a.example/"},
	} {
		var v banner.BannerView
		c := &tl.Captures[tt.capture]
		tellVersions(&v, &respond.BannerRequest{Capture: c, Pages: uris, Moves: uris}, timeline.PlaceOf(tl, ranges, c, banner.MaxCaptureList))
		href := func(l *banner.VersionLink) string {
			if l == nil {
				return ""
			}
			return l.Href
		}
		if v.Version != tt.version+1 || v.Versions != 3 || v.Capture != tt.number || len(v.CaptureList) != tt.listed ||
			href(v.PrevVersion) != tt.prev || href(v.NextVersion) != tt.next || v.Diff != tt.diff {
			t.Errorf("capture %d: %+v, from %s to %s", tt.capture, v, href(v.PrevVersion), href(v.NextVersion))
		}
		r := &ranges[tt.version]
		if v.UnchangedFrom != r.First || v.UnchangedTo != r.Last || v.Captures != r.Captures || v.Alternates != (tt.version == 1) ||
			v.Kind != banner.KindPage || !slices.ContainsFunc(v.CaptureList, func(l banner.CaptureLink) bool { return l.Time == c.Time }) {
			t.Errorf("capture %d: %+v is not of %+v", tt.capture, v, r)
		}
	}
	ranges[0].Kind = change.Error
	var v banner.BannerView
	c := &tl.Captures[1]
	tellVersions(&v, &respond.BannerRequest{Capture: c, Pages: uris, Moves: uris}, timeline.PlaceOf(tl, ranges, c, banner.MaxCaptureList))
	if v.Diff != "" || v.PrevVersion == nil || !v.PrevVersion.Delta.Known || v.PrevVersion.Delta.Added != 1 {
		t.Errorf("an error before the page: %+v", v)
	}
}

func TestTicksSampleLongTimelines(t *testing.T) {
	var at, changed []cdx.Timestamp
	for i := range 4 * maxTicks {
		at = append(at, cdx.Timestamp(20100101000000+i))
		if i%2 == 0 {
			changed = append(changed, at[i])
		}
	}
	for _, tt := range []struct {
		name           string
		captures       int
		versions       int
		ticks, changes int
	}{
		{"a few", 5, 2, 5, 1},
		{"as many as fit", maxTicks - 1, 3, maxTicks - 1, 2},
		{"many captures, few versions", 2 * maxTicks, 3, maxTicks/3*2 + 3, 2}, // each third, the last, and the changes between
		{"many captures, many versions", 4 * maxTicks, 2 * maxTicks, 0, 199},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tl := fixture.Timeline(at[:tt.captures]...)
			got := ticks(tl, fixture.Versions(changed[:tt.versions]...), memento.URIs{Coll: "web"})
			changes := 0
			for _, tick := range got {
				if tick.Changed {
					changes++
				}
				if (tick.Href != "") != tick.Changed {
					t.Errorf("%s leads to %q", tick.Time, tick.Href)
				}
			}
			if tt.ticks != 0 && len(got) != tt.ticks || changes != tt.changes || len(got) > 2*maxTicks {
				t.Errorf("%d ticks, %d of them changes", len(got), changes)
			}
			if got[0].Changed || got[0].Time != at[0] || got[len(got)-1].Time != at[tt.captures-1] {
				t.Errorf("from %+v to %+v", got[0], got[len(got)-1])
			}
		})
	}
}

// The drawn life of a page must go from the first capture to the last, however few captures are drawn.
func TestTheBannersTimelineEndsWithTheLastCapture(t *testing.T) {
	const n = 1999
	x, _ := archivetest.CountedIndex(t, nil)
	archivetest.PutBare(t, x, "http://example.org/counter.png", n, 0, 0)
	a, err := archive.New(archive.Config{Index: x, Records: archivetest.NoRecords{}})
	if err != nil {
		t.Fatal(err)
	}
	tl, err := a.Timelines.Get(t.Context(), "web", surt.Of("http://example.org/counter.png"))
	if err != nil {
		t.Fatal(err)
	}
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		t.Fatal(err)
	}
	ticks := ticks(tl, ranges, memento.URIs{Coll: "web"})
	if first, last := ticks[0].Time, ticks[len(ticks)-1].Time; first != tl.Captures[0].Time || last != tl.Captures[n-1].Time {
		t.Errorf("drawn from %s to %s, captured from %s to %s", first, last, tl.Captures[0].Time, tl.Captures[n-1].Time)
	}
	if len(ticks) > maxTicks+2 {
		t.Errorf("%d ticks", len(ticks))
	}
}

// Of very many captures some changes and some others are drawn, and always the first and the last.
func TestMomentsAreSampled(t *testing.T) {
	for _, tt := range []struct {
		name             string
		n, every         int // every so many moments a version begins
		changes, remains int
	}{
		{"a few", 10, 2, 4, 6},
		{"many, few changes", 3 * maxTicks, maxTicks, 2, 0},
		{"many changes", 4 * maxTicks, 2, maxTicks, 0},
	} {
		var moments []timeline.Moment
		for i := range tt.n {
			moments = append(moments, timeline.Moment{
				Time: cdx.Timestamp(20100101000000 + i), Begins: i > 0 && i%tt.every == 0, Kind: change.Redirect,
			})
		}
		got := sampled(moments, "http://a.example/", memento.URIs{Coll: "web"})
		changes := 0
		for _, tick := range got {
			href := ""
			if tick.Changed {
				changes++
				href = "/web/" + tick.Time.String() + "/http://a.example/"
			}
			if tick.Href != href || tick.Kind != banner.KindRedirect {
				t.Errorf("%s: %+v", tt.name, tick)
			}
		}
		remains := len(got) - changes
		few := tt.remains != 0 && remains != tt.remains || remains < 2 || remains > maxTicks+2
		if changes > tt.changes || changes < tt.changes/2 || few {
			t.Errorf("%s: %d changes, %d others", tt.name, changes, remains)
		}
		if got[0].Time != moments[0].Time || got[len(got)-1].Time != moments[tt.n-1].Time {
			t.Errorf("%s: from %s to %s", tt.name, got[0].Time, got[len(got)-1].Time)
		}
	}
}

// As long as changes, or other moments, have a pixel each all of them are drawn; else every second one, and so on.
func TestMomentsThatFitAreDrawn(t *testing.T) {
	for _, tt := range []struct{ changes, others, drawnChanges, drawnOthers int }{
		{299, 2, 299, 2},
		{300, 2, 150, 2},
		{599, 2, 299, 2},
		{600, 2, 200, 2},
		{10, 299, 10, 299},
		{10, 300, 10, 151},
		{10, 600, 10, 201},
		{0, 1, 0, 1},
		{0, 0, 0, 0}, // the first is drawn beside every so many
	} {
		var moments []timeline.Moment
		for i := range tt.changes + tt.others {
			begins := i > 0 && i <= tt.changes
			moments = append(moments, timeline.Moment{Time: cdx.Timestamp(20100101000000 + i), Begins: begins})
		}
		changes := 0
		got := sampled(moments, "http://a.example/", memento.URIs{Coll: "web"})
		for _, tick := range got {
			if tick.Changed {
				changes++
			}
		}
		if others := len(got) - changes; changes != tt.drawnChanges || others != tt.drawnOthers {
			t.Errorf("%d and %d: drawn %d and %d, want %d and %d", tt.changes, tt.others, changes, others, tt.drawnChanges, tt.drawnOthers)
		}
	}
}
