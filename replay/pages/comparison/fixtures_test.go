package comparison

import (
	"maps"
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
		Pair: pairView{
			Older:      versionSide{DiffSide: diff.Older, First: at(2014, 3, 1, 8, 0), Last: diff.Older.Time, Captures: 9, Status: 200},
			Newer:      &versionSide{DiffSide: diff.Newer, First: diff.Newer.Time, Last: diff.Newer.Time, Captures: 1, Status: 200},
			Difference: diff.Difference, Terms: diff.Terms, Watch: diff.Watch,
		},
		Term: &sliderTerm{Text: "chronic damage", Earlier: pair(3), LookOn: pair(40)},
	}
	var bars []lifeBar
	for i := range 57 {
		bars = append(bars, lifeBar{Added: i * i % 41, Deleted: i * i * i % 97, Other: i%23 == 22})
		v.Dates = append(v.Dates, at(1997+i/2, time.Month(1+i*7%12), 4, 5, 6))
		if i%2 == 0 {
			v.Years = append(v.Years, banner.Link{Href: pair(i), Text: strconv.Itoa(1997 + i/2)})
		}
	}
	v.Life = newLife(bars, []int{3, 13})
	return v
}

// redirectSlider shows the last of three pairs, in which the page disappeared.
func redirectSlider(lang string) SliderView {
	v := sliderView(lang)
	v.Versions[0].Versions, v.Pairs, v.Index, v.Years, v.Dates, v.Term = 4, 3, 2, nil, v.Dates[:3], nil
	v.Steps.Later, v.Steps.Last = "", ""
	p := &v.Pair
	p.NoText, p.Rows, p.Terms, p.Watch = true, nil, nil, ""
	p.Newer = &versionSide{
		DiffSide: DiffSide{
			CaptureLink: p.Newer.CaptureLink, Note: layout.VersionNote{Ends: banner.Ending{Kind: banner.KindRedirect}},
		}, First: p.Newer.First, Last: at(2019, 3, 1, 8, 0),
		Captures: 31, Kind: banner.KindRedirect, Status: 301, Target: "https://www.epa.gov/acidrain",
	}
	v.Life = newLife([]lifeBar{{Added: 3}, {Deleted: 400, Added: 1}, {Other: true, Kind: banner.KindRedirect}}, nil)
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
		"diff":   Diff(diffView(lang)),
		"slider": Slider(sliderView(lang)), "slider-redirect": Slider(redirectSlider(lang)), "slider-one": Slider(oneVersion(lang)),
	}
	maps.Copy(all, animationFixtures(lang))
	return all
}
