package views

import (
	"maps"
	"slices"
	"strconv"
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

func addressesView(lang string) AddressesView {
	p := fixture.Page(lang)
	p.URIR = "http://www.epa.gov/a*"
	v := AddressesView{
		Page: p, Pattern: p.URIR, Next: "/web/x", CSV: "/web/?url=x&output=csv", Everything: "/web/?url=x",
		Sorts: []string{
			"",
			"any",
			"page",
			"image",
		}, Statuses: []string{"2xx", "404"}, Asked: Asked{Sort: "any", Status: "404", Captures: 1},
		Counting: &layout.Progress{Done: 1200, Total: 56_789}, Hidden: []layout.Hidden{{Name: "sort", Value: "-versions"}},
		Rows: []AddressRow{
			{
				uriR, "/web/*/" + uriR, 1200, 14, at(2024, 6, 1, 0, 0), "page", "text/html", 200, at(1997, 1, 4, 0, 0), at(2025, 6, 1, 0, 0),
				14_500_000,
			},
			{
				"http://www.epa.gov/air?x=1&y=<2>", "/web/*/http://www.epa.gov/air?x=1&y=%3C2%3E", 1, 1, 0, "image", "image/png", 404,
				at(2001, 1, 4, 0, 0), at(2001, 1, 4, 0, 0), 999,
			},
		},
	}
	for _, name := range []string{"address", "versions", "captures", "changed", "type", "status", "first", "last", "size"} {
		c := AddressColumn{Name: name, Href: "/web/?url=x&sort=" + name}
		if name == "versions" {
			c.Sort = "descending"
		}
		v.Columns = append(v.Columns, c)
	}
	return v
}

// partsOnly is a list of what people don't open.
func partsOnly(lang string) AddressesView {
	v := addressesView(lang)
	v.Asked, v.PartsOnly, v.Counting, v.Pattern, v.Everything = Asked{}, true, nil, "*", ""
	return v
}

func noAddresses(lang string) AddressesView {
	v := addressesView(lang)
	v.Rows, v.Counting, v.Next = nil, nil, ""
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

func side(ts cdx.Timestamp, title string) DiffSide {
	return DiffSide{CaptureLink: fixture.Capture(ts), Title: title}
}

func diffView(lang string) DiffView {
	same := []layout.Span{{Op: layout.Equal, Text: "Acid rain is a broad term."}}
	return DiffView{
		Page:    fixture.Page(lang),
		Watch:   "/web/animate/1/2/" + uriR,
		Older:   side(at(2016, 7, 9, 18, 0), "Acid Rain | US EPA"),
		Newer:   side(at(2017, 2, 18, 11, 42), "Acid Rain"),
		Earlier: "/web/diff/1/2/x", Later: "/web/diff/3/4/x",
		Calendar: "/web/*/" + uriR,
		Slider:   "/web/diff?url=x&at=20160709180000", Terms: []TermCount{{"chronic damage", 1, 0}},
		Difference: Difference{Added: 7, Deleted: 13, Moved: 4, Similarity: layout.Similarity{Value: 0.834, Known: true}, Rows: []DiffRow{
			{Skipped: 12},
			{Cells: []DiffCell{{same, same}}, Heading: true},
			Block(
				[]layout.Span{
					{Op: layout.Equal, Text: "It causes "},
					{Op: layout.Deleted, Text: "serious, "},
					{Op: layout.Deleted, Text: "chronic", Mark: true},
					{Op: layout.Equal, Text: " damage", Mark: true},
					{Op: layout.Equal, Text: " to lake"},
					{Op: layout.Deleted, Text: "s"},
					{Op: layout.Equal, Text: "."},
				},
				[]layout.Span{
					{Op: layout.Equal, Text: "It causes "},
					{Op: layout.Added, Text: "some"},
					{Op: layout.Equal, Text: " damage to lake"},
					{Op: layout.Equal, Text: "."},
				},
			),
			Block(
				[]layout.Span{{Op: layout.Deleted, Text: "Climate change makes it worse."}},
				[]layout.Span{{Op: layout.Added, Text: "This page is being updated."}},
			),
			Block([]layout.Span{{Op: layout.Moved, Text: "Share this page: email"}}, nil),
			Block(nil, []layout.Span{{Op: layout.Added, Text: "Last updated in January."}}),
			Block(nil, []layout.Span{{Op: layout.Moved, Text: "Share this page: "}, {Op: layout.Added, Text: "e-mail"}}),
			{
				Depth: 1, Bullet: true,
				Cells: []DiffCell{{[]layout.Span{{Op: layout.Equal, Text: "Lakes"}}, []layout.Span{{Op: layout.Equal, Text: "Lakes"}}}},
			},
			{Depth: 2, Bullet: true, Cells: []DiffCell{{[]layout.Span{{Op: layout.Deleted, Text: "Ponds"}}, nil}}},
			{Cells: []DiffCell{
				{[]layout.Span{{Op: layout.Equal, Text: "pH"}}, []layout.Span{{Op: layout.Equal, Text: "pH"}}},
				{[]layout.Span{{Op: layout.Deleted, Text: "4.6"}}, []layout.Span{{Op: layout.Added, Text: "5.1"}}},
				{nil, []layout.Span{{Op: layout.Added, Text: "2016"}}},
			}},
		}},
	}
}

// sliderView shows a pair in the middle of some sixty, with a phrase to look for.
func sliderView(lang string) SliderView {
	pair := func(i int) string { return "/web/diff?at=" + strconv.Itoa(i) + "&term=chronic+damage&url=x" }
	diff := diffView(lang)
	v := SliderView{
		Page: fixture.Page(lang), Captures: 240, Pairs: 57, Index: 13,
		Versions: []layout.LevelCount{
			{
				Level:    banner.LevelContent,
				Versions: 58,
				Href:     "",
			}, {
				Level: banner.LevelText, Versions: 61, Href: "/web/diff?level=text&url=x",
			}, {Level: banner.LevelAny, Versions: 122, Href: "/web/diff?level=any&url=x"},
		},
		Self: pair(13), Position: "/web/diff?term=chronic+damage&url=x&index=",
		Find: "/web/diff", Calendar: "/web/*/" + uriR, Steps: Steps{pair(0), pair(12), pair(14), pair(56)},
		Pair: PairView{
			Older:      VersionSide{DiffSide: diff.Older, First: at(2014, 3, 1, 8, 0), Last: diff.Older.Time, Captures: 9, Status: 200},
			Newer:      &VersionSide{DiffSide: diff.Newer, First: diff.Newer.Time, Last: diff.Newer.Time, Captures: 1, Status: 200},
			Difference: diff.Difference, Terms: diff.Terms, Watch: diff.Watch,
		},
		Term: &SliderTerm{Text: "chronic damage", Earlier: pair(3), LookOn: pair(40)},
	}
	var bars []LifeBar
	for i := range 57 {
		bars = append(bars, LifeBar{Added: i * i % 41, Deleted: i * i * i % 97, Other: i%23 == 22})
		v.Dates = append(v.Dates, at(1997+i/2, time.Month(1+i*7%12), 4, 5, 6))
		if i%2 == 0 {
			v.Years = append(v.Years, banner.Link{Href: pair(i), Text: strconv.Itoa(1997 + i/2)})
		}
	}
	v.Life = NewLife(bars, []int{3, 13})
	return v
}

// redirectSlider shows the last of three pairs, in which the page disappeared.
func redirectSlider(lang string) SliderView {
	v := sliderView(lang)
	v.Versions[0].Versions, v.Pairs, v.Index, v.Years, v.Dates, v.Term = 4, 3, 2, nil, v.Dates[:3], nil
	v.Steps.Later, v.Steps.Last = "", ""
	p := &v.Pair
	p.NoText, p.Rows, p.Terms, p.Watch = true, nil, nil, ""
	p.Newer = &VersionSide{
		DiffSide: DiffSide{
			CaptureLink: p.Newer.CaptureLink, Note: layout.VersionNote{Ends: banner.Ending{Kind: banner.KindRedirect}},
		}, First: p.Newer.First, Last: at(2019, 3, 1, 8, 0),
		Captures: 31, Kind: banner.KindRedirect, Status: 301, Target: "https://www.epa.gov/acidrain",
	}
	v.Life = NewLife([]LifeBar{{Added: 3}, {Deleted: 400, Added: 1}, {Other: true, Kind: banner.KindRedirect}}, nil)
	return v
}

// oneVersion has nothing to compare.
func oneVersion(lang string) SliderView {
	v := redirectSlider(lang)
	v.Captures, v.Versions, v.Pairs, v.Index = 9, []layout.LevelCount{
		{Level: banner.LevelContent, Versions: 1},
		{Level: banner.LevelText, Versions: 1, Href: "/web/diff?level=text&url=x"},
	}, 0, 0
	v.Steps, v.Life, v.Dates, v.Pair.Newer = Steps{}, nil, nil, nil
	return v
}

// fixtures are all components with a view, by name; each banner is in a page.
func fixtures(lang string) map[string]templ.Component {
	all := map[string]templ.Component{
		"home":       Home(homeView(lang)),
		"collection": Collection(collectionView(lang)), "counted": Collection(countedCollection(lang)),
		"together": Calendar(together(lang)),
		"calendar": Calendar(calendarView(lang)), "calendar-day": Calendar(dayOfCalendar(lang)), "calendar-none": Calendar(emptyYear(lang)),
		"addresses":       Addresses(addressesView(lang)),
		"addresses-parts": Addresses(partsOnly(lang)),
		"addresses-none":  Addresses(noAddresses(lang)),
		"timemap":         TimeMap(timeMapView(lang)),
		"diff":            Diff(diffView(lang)),
		"slider": Slider(
			sliderView(lang),
		), "slider-redirect": Slider(redirectSlider(lang)), "slider-one": Slider(oneVersion(lang)),
	}
	maps.Copy(all, uploadFixtures(lang))
	maps.Copy(all, animationFixtures(lang))
	return all
}
