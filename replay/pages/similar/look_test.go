package similar

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/ways"
)

func TestPagesLookAsTheyDid(t *testing.T) {
	fixture.Check(t, "../../..", func(lang string) map[string]templ.Component {
		return map[string]templ.Component{"similar": similarPage(similarView(lang))}
	})
}

func similarView(lang string) pageView {
	const rain = "http://www.epa.gov/rain"
	return pageView{
		Page: fixture.Page(lang), Capture: fixture.Capture(fixture.At(2017, 2, 18, 11, 42)), Title: "Acid Rain",
		Results: []ways.Alternative{{
			CaptureLink: banner.CaptureLink{Href: "/web/20170601000000/" + rain, Time: fixture.At(2017, 6, 1, 0, 0)},
			URIR:        rain, Title: "What is acid rain?", Similarity: layout.Similarity{Value: 0.91, Known: true}, Why: landing.WhySimilar,
		}},
	}
}
