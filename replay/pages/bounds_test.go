package pages

import (
	"testing"

	"github.com/varve-archive/varve/replay/pages/versions"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/views"
	"github.com/varve-archive/varve/replay/respond"
)

// captured is a timeline of captures, one for each datetime.
func captured(at ...cdx.Timestamp) *timeline.Timeline {
	tl := &timeline.Timeline{Coll: "web"}
	for i, ts := range at {
		tl.Captures = append(tl.Captures, cdx.Capture{Time: ts, URL: "http://a.example/", Status: 200, Location: cdx.Location{Offset: int64(i)}})
	}
	return tl
}

// versionsOf are validity ranges that begin at datetimes.
func versionsOf(first ...cdx.Timestamp) []change.Range {
	var out []change.Range
	for i, ts := range first {
		r := change.Range{First: ts, Last: ts, Kind: change.Page}
		if i > 0 {
			out[i-1].Until = ts
			r.Change = &sketch.Delta{Added: i}
		}
		out = append(out, r)
	}
	return out
}

// A calendar counts by years and days; the very first version is no change, in whatever year one looks.
func TestCalendarsCount(t *testing.T) {
	tl := captured(20131231235959, 20150101100000, 20150101230000, 20150102000000, 20150102120000, 20150102130000, 20150102140000)
	c := &calendar{
		Timeline: tl, uris: memento.URIs{Coll: "web"}, uriR: "http://a.example/", level: change.LevelContent,
		ranges: versionsOf(20131231235959, 20150102120000, 20150102130000),
	}
	href := func(when string) string { return "/web/" + when + "*/http://a.example/" }
	want := []views.Day{
		{Time: 20150101100000, Href: href("20150101") + "#day", Captures: 2, Kind: banner.KindPage},
		{Time: 20150102000000, Href: href("20150102") + "#day", Captures: 4, Changes: 2, Kind: banner.KindPage},
	}
	if d := cmp.Diff(want, c.days(c.between(20150000, 20160000))); d != "" {
		t.Error(d)
	}
	oldest := []views.Day{{Time: 20131231235959, Href: href("20131231") + "#day", Captures: 1, Kind: banner.KindPage}}
	if d := cmp.Diff(oldest, c.days(c.between(20130000, 20140000))); d != "" {
		t.Error(d)
	}
	if got := c.days(c.between(20140000, 20150000)); got != nil {
		t.Errorf("in a year without captures: %v", got)
	}
	years := []layout.YearBar{
		{Year: 2013, Captures: 1, Href: href("2013")},
		{Year: 2014},
		{Year: 2015, Captures: 6, Changes: 2, Href: href("2015")},
	}
	if d := cmp.Diff(years, c.years()); d != "" {
		t.Error(d)
	}
	for when, want := range map[string]int{"": 2015, "2": 2015, "2013": 2013, "2014": 2014, "20131231": 2013, "2012": 2015, "2016": 2015} {
		if c.when = when; c.year() != want {
			t.Errorf("%q shows %d, want %d", when, c.year(), want)
		}
	}
	c.level = change.LevelText
	if got := c.at("20150102"); got != "/web/?level=text&on=20150102&url=http%3A%2F%2Fa.example%2F" {
		t.Errorf("by text: %s", got)
	}
}

// Where there are too many versions, those of the year in view are listed.
func TestVersionsBesideACalendar(t *testing.T) {
	var all []cdx.Timestamp
	for i := range maxOfAllYears + 1 {
		all = append(all, cdx.Timestamp(20100101000000+1e10*(i/40)+i))
	}
	for n, want := range map[int][2]int{maxOfAllYears: {1, maxOfAllYears}, maxOfAllYears + 1: {41, 40}} {
		tl := captured(all[:n]...)
		c := &calendar{Timeline: tl, uris: memento.URIs{Coll: "web"}, uriR: "http://a.example/", ranges: versionsOf(all[:n]...)}
		v := views.CalendarView{Year: 2011}
		c.versions(&v)
		if got := [2]int{v.FirstVersion, len(v.Versions)}; got != want || v.AllVersions != (n == maxOfAllYears) {
			t.Errorf("of %d: %d versions from number %d on, want %v", n, got[1], got[0], want)
		}
	}
}

func TestWhatACaptureShows(t *testing.T) {
	tl := captured(20150101000000, 20150102000000)
	ranges := versionsOf(20150101000000)
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
		if got := versions.ShownKind(tl, tt.c, ranges, tt.r); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	ranges[0].Kind = change.Missing
	if got := versions.ShownKind(tl, &tl.Captures[0], ranges, 0); got != banner.KindMissing {
		t.Errorf("missing: %v", got)
	}
}

func TestTheBannerCountsWithinItsVersion(t *testing.T) {
	tl := captured(20150101000000, 20150102000000, 20150103000000, 20150104000000, 20150105000000)
	ranges := versionsOf(20150101000000, 20150102000000, 20150105000000)
	ranges[1].Last, ranges[1].Captures = 20150104000000, 3
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
			tl := captured(at[:tt.captures]...)
			got := ticks(tl, versionsOf(changed[:tt.versions]...), memento.URIs{Coll: "web"})
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
