package pictures

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/film"
)

var at = fixture.At

func TestPagesLookAsTheyDid(t *testing.T) {
	fixture.Check(t, "../../..", func(lang string) map[string]templ.Component {
		return map[string]templ.Component{"visual": visualPage(visualView(lang))}
	})
}

// A dot is the smallest image that there is.
const dot = "data:image/gif;base64,R0lGODlhAQABAAAAACw="

func frameOf(ts cdx.Timestamp, before cdx.Timestamp) film.Frame {
	f := film.Frame{CaptureLink: fixture.Capture(ts), Thumb: dot, Width: 320, Height: 240}
	if before != 0 {
		f.Visual = "/web/visual?from=" + before.String() + "&to=" + ts.String() + "&url=http%3A%2F%2Fwww.epa.gov%2Facidrain%2F"
	}
	return f
}

// visualView compares two pictures between which everything happened that can.
func visualView(lang string) pageView {
	first, older, newer := at(2016, 1, 20, 8, 0), at(2017, 1, 20, 8, 0), at(2017, 2, 18, 11, 42)
	diff := "/web/diff/20170120080000/20170218114200/" + fixture.URIR
	changed := regionView{1, "changed", "content", "text", 20, 200, 600, 80, "Acid rain is", diff + "#:~:text=Acid%20rain%20is"}
	moved := regionView{2, "moved", "sidebar", "links", 900, 200, 300, 400, "Related pages", diff + "#:~:text=Related%20pages"}
	went := regionView{3, "removed", "content", "image", 20, 400, 400, 300, "", ""}
	came := regionView{4, "added", "footer", "text", 0, 900, 1280, 60, "© EPA", diff + "#:~:text=%C2%A9%20EPA"}
	reel := &film.Film{Frames: []film.Frame{frameOf(first, 0), frameOf(older, first), frameOf(newer, older)}, Versions: 5, Pictured: 3}
	reel.Frames[1].Current, reel.Frames[2].Current, reel.Frames[2].Damage = true, true, 12
	v := pageView{
		Page: fixture.Page(lang), Distance: 23, Important: true, List: []regionView{changed, moved, went, came}, Film: reel, Diff: diff,
		Calendar: "/web/*/" + fixture.URIR, Earlier: "/web/visual?from=1&to=2", Later: "/web/visual?from=3&to=4",
		Older: sideView{
			CaptureLink: banner.CaptureLink{
				Href: fixture.URIM(older),
				Time: older,
			}, Of: fixture.Capture(first), Picture: dot, Width: 1280, Height: 10_000,
			PageHeight: 12_345, Title: "Acid Rain", Regions: []regionView{changed, moved, went},
		},
		Newer: sideView{
			CaptureLink: banner.CaptureLink{
				Href: fixture.URIM(newer),
				Time: newer,
			}, Of: fixture.Capture(newer), Picture: dot, Width: 1280, Height: 960,
			PageHeight: 960, Title: "Acid Rain | US EPA", Damage: 12, Errors: 3, Regions: []regionView{changed, moved, came},
		},
	}
	v.Image = "http://localhost:8080/web/thumb/20170218114200/" + fixture.URIR
	return v
}
