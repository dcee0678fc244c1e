package inspect

import (
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// inspectView is of a price in three versions, one of which is gone.
func inspectView(lang string) pageView {
	now := at(2017, 2, 18, 11, 42)
	of := func(ts cdx.Timestamp) banner.CaptureLink {
		return banner.CaptureLink{Href: "/web/inspect?css=.price&at=" + ts.String(), Time: ts}
	}
	before, after := of(at(2016, 1, 3, 10, 0)), of(at(2018, 5, 6, 7, 8))
	return pageView{
		Page: fixture.Page(
			lang,
		), Capture: fixture.Capture(now), Frame: "/web/still/20170218114200/" + uriR, Prev: &before, Next: &after,
		Action: "/web/inspect", Field: &fields.Field{Name: "price", CSS: ".price", Type: fields.Number, Clean: []string{"[^0-9.]"}},
		Chosen: &chosenView{
			Number: 7, Finds: 1, XPath: `//span[contains(concat(" ",normalize-space(@class)," ")," price ")]`, Holds: 4, Others: 6,
			Within: []banner.Link{
				{Href: "/web/inspect?element=0", Text: "html"},
				{Href: "/web/inspect?element=2", Text: "body.long"},
				{Href: "", Text: "span.price"},
			},
		},
		Template: "- {name: names, css: .by li, all: true}\n",
		Crawl:    "template:\n  fields:\n    - {name: price, css: .price, type: number}\n", Rule: "fields:\n  - urls: ['" + uriR + "']\n",
		Counts: []layout.LevelCount{
			{Level: banner.LevelContent, Versions: 2, Href: "/web/inspect?level=content"},
			{Level: banner.LevelText, Versions: 4},
			{Level: banner.LevelAny, Versions: 9, Href: "/web/inspect?level=any"},
		},
		From: "2016", Columns: []string{"names", "price"}, CSV: "/web/inspect?output=csv", JSON: "/web/inspect?output=json",
		Rest: func() string { return "/web/inspect?from=2019" },
		Rows: slices.Values([]rowView{
			{CaptureLink: before, First: before.Time, Last: before.Time, Cells: []cellView{{Values: strings.Split("Ada Grace Edsger "+
				"Barbara Tony Frances Donald Kathleen", " ")}, {}}},
			{CaptureLink: of(now), First: now, Last: at(2017, 9, 1, 0, 0), Cells: []cellView{
				{Values: []string{"Ada", "Grace <b>"}, Changed: true}, {Values: []string{"12.5"}, Changed: true},
			}},
			{CaptureLink: after, First: after.Time, Last: after.Time, Note: isMissing},
			{
				CaptureLink: of(at(2019, 1, 1, 0, 0)), First: at(2019, 1, 1, 0, 0), Last: at(2020, 1, 1, 0, 0), Note: isBlocked,
				Say: "Withdrawn.",
			},
		}),
	}
}

// wrongInspect is of a selector that can't be read, on a capture that is no page.
func wrongInspect(lang string) pageView {
	v := inspectView(lang)
	v.Frame, v.Chosen, v.Prev, v.Next, v.Rows, v.Columns = "", nil, nil, nil, nil, nil
	v.Field.CSS, v.Wrong = "div[", "price: css: expected identifier, found EOF instead"
	return v
}

// listInspect is of a list of offers, each of whose rows is read.
func listInspect(lang string) pageView {
	v := inspectView(lang)
	v.Each, v.Key, v.Columns = "li.offer", "name", []string{"name", "price"}
	v.Chosen.ListRows, v.Chosen.ReadRows = 24, "/web/inspect?each=li.offer"
	was := at(2016, 1, 3, 10, 0)
	of := func(values ...string) (cells []cellView) {
		for _, s := range values {
			cells = append(cells, cellView{Values: strings.Fields(s)})
		}
		return cells
	}
	changed := of("Ladder", "3")
	changed[1].Changed, changed[1].Was = true, []string{"2.5"}
	v.Rows = slices.Values([]rowView{
		{
			CaptureLink: banner.CaptureLink{Href: "/web/inspect?at=1", Time: was},
			First:       was,
			Last:        was,
			Rows: &rowsView{All: 1, Added: 1, List: []listedView{
				{"added", 1, of("Ladder", "2.5")},
			}},
		},
		{CaptureLink: banner.CaptureLink{Href: "/web/inspect?at=2", Time: was}, First: was, Last: v.Capture.Time, Rows: &rowsView{
			All: 10_000, More: true, Added: 1, Removed: 1, Changed: 1, Hidden: 7,
			List: []listedView{{"removed", 2, of("<b>Chair</b>", "")}, {"changed", 1, changed}, {"added", 3, of("Table", "40")}},
		}},
	})
	return v
}
