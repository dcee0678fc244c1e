package calendar

import (
	"slices"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

const uriR = fixture.URIR

var at = fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"calendar": calendarPage(viewOf(lang)), "calendar-day": calendarPage(dayOfCalendar(lang)),
		"calendar-none": calendarPage(emptyYear(lang)), "together": calendarPage(together(lang)), "timemap": timeMapPage(timeMapOf(lang)),
	}
}

func versionsOf() []versionView {
	first := fixture.Capture(at(2014, 3, 1, 8, 0))
	second := fixture.Capture(at(2016, 7, 9, 18, 0))
	third := fixture.Capture(at(2017, 2, 18, 11, 42))
	gone := fixture.Capture(at(2017, 11, 3, 1, 2))
	diff := "/web/diff/20160709180000/20170218114200/" + uriR
	return []versionView{
		{First: first, Last: second, Until: second.Time, Captures: 9, Status: 200},
		{
			First:    second,
			Last:     second,
			Until:    third.Time,
			Captures: 1,
			Status:   200,
			Delta:    banner.Delta{Added: 12, Deleted: 40, Known: true},
			Diff:     diff,
		},
		{
			First:    third,
			Last:     third,
			Until:    gone.Time,
			Captures: 22,
			Status:   301,
			Diff:     diff,

			VersionNote: layout.VersionNote{Ends: banner.Ending{Kind: banner.KindRedirect}},
		},
		{
			First: gone, Last: gone, Captures: 2, Status: 200,
			VersionNote: layout.VersionNote{Ends: banner.Ending{Kind: banner.KindMissing, Soft404: true}},
			Delta:       banner.Delta{Known: true},
			Diff:        diff,
		},
	}
}

func viewOf(lang string) pageView {
	v := pageView{
		Page: fixture.Page(lang), Captures: 34, Versions: versionsOf(), FirstVersion: 1, AllVersions: true, Year: 2016,
		Counts: []layout.LevelCount{
			{Level: banner.LevelContent, Versions: len(versionsOf())}, {Level: banner.LevelText, Versions: 9, Href: "/web/diff?level=text&url=x"},
		},
		Table:  "/web/timemap/html/" + uriR,
		Slider: "/web/diff/" + uriR, Search: "/web/search",
		Years: []layout.YearBar{
			{Year: 2014, Captures: 9, Changes: 1, Href: "/web/2014*/" + uriR}, {Year: 2015}, {
				Year: 2016, Captures: 18, Changes: 6, Href: "/web/2016*/" + uriR,
			}, {Year: 2017, Captures: 7, Changes: 0, Href: "/web/2017*/" + uriR},
		},
	}
	for i, d := range []time.Time{
		time.Date(2016, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2016, 1, 3, 0, 0, 0, 0, time.UTC), time.Date(2016, 2, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2016, 2, 29, 0, 0, 0, 0, time.UTC), time.Date(2016, 7, 9, 0, 0, 0, 0, time.UTC), time.Date(2016, 8, 31, 0, 0, 0, 0, time.UTC),
		time.Date(2016, 11, 3, 0, 0, 0, 0, time.UTC), time.Date(2016, 11, 4, 0, 0, 0, 0, time.UTC), time.Date(2016, 12, 31, 0, 0, 0, 0, time.UTC),
	} {
		ts := cdx.FromTime(d)
		kind := [...]banner.Kind{6: banner.KindMissing, 5: banner.KindRedirect, 8: banner.KindError}
		v.Days = append(v.Days, dayBar{
			ts, 1 + i%3, (i + 1) % 2, append(kind[:], banner.KindPage)[i], "/web/" + ts.String()[:8] + "*/" + uriR + "#day", 12 * (i % 2),
		})
	}
	return v
}

// dayOfCalendar has a day chosen, and too many versions to list all of them.
func dayOfCalendar(lang string) pageView {
	v := viewOf(lang)
	v.AllVersions, v.FirstVersion = false, 17
	v.Day = &dayView{
		Time: v.Days[1].Time, Prev: "/web/20160101*/" + uriR, Next: "/web/20160201*/" + uriR, More: 3,
		Rows: []captureRow{
			{
				fixture.Capture(at(2016, 1, 3, 8, 0)),
				200, "text/html", "none",
				layout.VersionNote{},
				"",
			},
			{
				fixture.Capture(at(2016, 1, 3, 9, 0)),
				503, "text/html", "content",
				layout.VersionNote{},
				"",
			},
		},
	}
	return v
}

// together is a calendar over two collections.
func together(lang string) pageView {
	v := dayOfCalendar(lang)
	v.Coll, v.Table, v.Slider, v.Search, v.Counts = banner.Link{}, "", "", "", v.Counts[:1]
	v.Colls = []shareView{{"web", "web", "/web/*/" + uriR, 30, 4}, {"news", "news & more", "/news/*/" + uriR, 4, 1}}
	v.Day.Rows[0].Coll, v.Day.Rows[1].Coll = "web", "news & more"
	for i := range v.Versions {
		v.Versions[i].Coll = []string{"web", "news & more"}[i%2]
	}
	return v
}

// emptyYear has nothing in view.
func emptyYear(lang string) pageView {
	v := viewOf(lang)
	v.Days, v.Versions, v.Year, v.AllVersions = nil, nil, 2015, false
	return v
}

func timeMapOf(lang string) timeMapView {
	return timeMapView{
		Page: fixture.Page(lang), Prev: "/web/timemap/html/1/" + uriR, Next: "/web/timemap/html/3/" + uriR, Calendar: "/web/*/" + uriR,
		Formats: []banner.Link{{Href: "/web/timemap/link/" + uriR, Text: "link"}, {Href: "/web/timemap/json/" + uriR, Text: "json"}},
		Rows: slices.Values([]captureRow{
			{
				fixture.Capture(at(2014, 3, 1, 8, 0)),
				200, "text/html", "",
				layout.VersionNote{},
				"",
			},
			{
				fixture.Capture(at(2014, 3, 2, 8, 0)),
				200, "text/html", "none",
				layout.VersionNote{},
				"",
			},
			{
				fixture.Capture(at(2014, 3, 3, 8, 0)),
				200, "text/html", "content",
				layout.VersionNote{},
				"",
			},
			{fixture.Capture(at(2014, 3, 4, 8, 0)), 301, "", "content", layout.VersionNote{}, ""},
		}),
	}
}

func TestHostileTextStaysText(t *testing.T) {
	calendar, timeMap := viewOf("en"), timeMapOf("en")
	calendar.URIR, timeMap.URIR = fixture.Hostile, fixture.Hostile
	calendar.Days[0].Href, calendar.Versions[1].Diff = fixture.Hostile, fixture.Hostile
	fixture.Escapes(t, map[string]templ.Component{"calendar": calendarPage(calendar), "timemap": timeMapPage(timeMap)})
}
