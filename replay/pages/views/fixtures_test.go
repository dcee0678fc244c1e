package views

import (
	"maps"
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

const (
	uriR    = fixture.URIR
	hostile = fixture.Hostile
)

var at = fixture.At

func homeView(lang string) HomeView {
	p := fixture.Page(lang)
	p.Coll, p.URIR, p.Open = banner.Link{}, "", "/"
	return HomeView{Page: p, Collections: []CollectionFacts{
		{
			Name: "web", Href: "/web/", Description: "Pages of rivers & towns.", Captures: 123456, Addresses: 41000, Pages: 1200,
			Versions: 9120, Files: 12, First: at(1997, 1, 4, 0, 0), Last: at(2025, 6, 1, 0, 0),
			Years: []layout.YearBar{
				{Year: 1997, Captures: 40_000, Changes: 1, Href: "/web/?since=1997"},
				{Year: 1998, Captures: 0, Changes: 0, Href: "/web/?since=1998"},
				{Year: 1999, Captures: 83_000, Changes: 9119, Href: "/web/?since=1999"},
			},
		},
		{
			Name: "news", Href: "/news/", Captures: 21, Addresses: 1, Versions: 2, Files: 1, First: at(2021, 1, 4, 0, 0),
			Last: at(2021, 6, 1, 0, 0),
		},
	}}
}

func collectionView(lang string) CollectionView {
	p := fixture.Page(lang)
	p.URIR = ""
	return CollectionView{
		Page: p, Search: "/web/search", Terms: "/web/terms", Addresses: "/web/?url=%2A", Monitor: "/web/monitor",
		Facts: homeView(lang).Collections[0],
		Entries: []PageLink{
			{"http://example.org/", "/web/*/http://example.org/", 12, 1, 0, at(2014, 1, 1, 0, 0), at(2014, 6, 1, 0, 0)},
		},
		Changed: []PageLink{
			{uriR, "/web/*/" + uriR, 1200, 14, at(2024, 6, 1, 0, 0), at(1997, 1, 4, 0, 0), at(2025, 6, 1, 0, 0)},
		},
		ChangedLast: []PageLink{
			{uriR, "/web/*/" + uriR, 1200, 14, at(2024, 6, 1, 0, 0), at(1997, 1, 4, 0, 0), at(2025, 6, 1, 0, 0)},
		},
		Hosts: []HostRow{{"epa.gov", "/web/*/http://epa.gov/*", 1200, 123_456, 9120}},
		Kinds: []KindRow{
			{"page", "/web/?type=page&url=%2A", 1200, 123_000, 5 << 30}, {"image", "/web/?type=image&url=%2A", 39_800, 456, 900},
		},
	}
}

// countedCollection is one whose pages are still being counted.
func countedCollection(lang string) CollectionView {
	v := collectionView(lang)
	v.Facts, v.Counting = CollectionFacts{Name: "web", Captures: 56_789, Files: 12}, &layout.Progress{Done: 1200, Total: 56_789}
	v.Entries, v.Changed, v.ChangedLast, v.Hosts, v.Kinds = nil, nil, nil, nil, nil
	return v
}

func versions() []Version {
	first := fixture.Capture(at(2014, 3, 1, 8, 0))
	second := fixture.Capture(at(2016, 7, 9, 18, 0))
	third := fixture.Capture(at(2017, 2, 18, 11, 42))
	gone := fixture.Capture(at(2017, 11, 3, 1, 2))
	diff := "/web/diff/20160709180000/20170218114200/" + uriR
	return []Version{
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

func calendarView(lang string) CalendarView {
	v := CalendarView{
		Page: fixture.Page(lang), Captures: 34, Versions: versions(), FirstVersion: 1, AllVersions: true, Year: 2016,
		Counts: []layout.LevelCount{
			{Level: banner.LevelContent, Versions: len(versions())}, {Level: banner.LevelText, Versions: 9, Href: "/web/diff?level=text&url=x"},
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
		v.Days = append(v.Days, Day{
			ts, 1 + i%3, (i + 1) % 2, append(kind[:], banner.KindPage)[i], "/web/" + ts.String()[:8] + "*/" + uriR + "#day", 12 * (i % 2),
		})
	}
	return v
}

// dayOfCalendar has a day chosen, and too many versions to list all of them.
func dayOfCalendar(lang string) CalendarView {
	v := calendarView(lang)
	v.AllVersions, v.FirstVersion = false, 17
	v.Day = &DayView{
		Time: v.Days[1].Time, Prev: "/web/20160101*/" + uriR, Next: "/web/20160201*/" + uriR, More: 3,
		Rows: []CaptureRow{
			{
				fixture.Capture(at(2016, 1, 3, 8, 0)),
				200, "text/html", ChangeNone,
				layout.VersionNote{},
				"",
			},
			{
				fixture.Capture(at(2016, 1, 3, 9, 0)),
				503, "text/html", ChangeContent,
				layout.VersionNote{},
				"",
			},
		},
	}
	return v
}

// together is a calendar over two collections.
func together(lang string) CalendarView {
	v := dayOfCalendar(lang)
	v.Coll, v.Table, v.Slider, v.Search, v.Counts = banner.Link{}, "", "", "", v.Counts[:1]
	v.Colls = []CollCaptures{{"web", "/web/*/" + uriR, 30, 4}, {"news & more", "/news/*/" + uriR, 4, 1}}
	v.Day.Rows[0].Coll, v.Day.Rows[1].Coll = "web", "news & more"
	for i := range v.Versions {
		v.Versions[i].Coll = []string{"web", "news & more"}[i%2]
	}
	return v
}

// emptyYear has nothing in view.
func emptyYear(lang string) CalendarView {
	v := calendarView(lang)
	v.Days, v.Versions, v.Year, v.AllVersions = nil, nil, 2015, false
	return v
}

func timeMapView(lang string) TimeMapView {
	return TimeMapView{
		Page: fixture.Page(lang), Prev: "/web/timemap/html/1/" + uriR, Next: "/web/timemap/html/3/" + uriR, Calendar: "/web/*/" + uriR,
		Formats: []banner.Link{{Href: "/web/timemap/link/" + uriR, Text: "link"}, {Href: "/web/timemap/json/" + uriR, Text: "json"}},
		Rows: slices.Values([]CaptureRow{
			{
				fixture.Capture(at(2014, 3, 1, 8, 0)),
				200, "text/html", ChangeUnknown,
				layout.VersionNote{},
				"",
			},
			{
				fixture.Capture(at(2014, 3, 2, 8, 0)),
				200, "text/html", ChangeNone,
				layout.VersionNote{},
				"",
			},
			{
				fixture.Capture(at(2014, 3, 3, 8, 0)),
				200, "text/html", ChangeContent,
				layout.VersionNote{},
				"",
			},
			{fixture.Capture(at(2014, 3, 4, 8, 0)), 301, "", ChangeContent, layout.VersionNote{}, ""},
		}),
	}
}

// fixtures are all components with a view, by name.
func fixtures(lang string) map[string]templ.Component {
	all := map[string]templ.Component{
		"home":       Home(homeView(lang)),
		"collection": Collection(collectionView(lang)), "counted": Collection(countedCollection(lang)),
		"together": Calendar(together(lang)),
		"calendar": Calendar(calendarView(lang)), "calendar-day": Calendar(dayOfCalendar(lang)), "calendar-none": Calendar(emptyYear(lang)),
		"timemap": TimeMap(timeMapView(lang)),
	}
	maps.Copy(all, uploadFixtures(lang))
	return all
}
