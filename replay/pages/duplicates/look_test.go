package duplicates

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

func TestPagesLookAsTheyDid(t *testing.T) {
	fixture.Check(t, "../../..", func(lang string) map[string]templ.Component {
		return map[string]templ.Component{"duplicates": duplicatesPage(duplicatesView(lang))}
	})
}

func duplicatesView(lang string) pageView {
	link := fixture.Capture(fixture.At(2017, 2, 18, 11, 42))
	two := []captureView{{link, fixture.URIR}, {link, "http://mirror.example/acid"}}
	return pageView{
		Page: fixture.Page(lang), Total: 120, Equal: 1, Cut: true, Across: true, Other: "/web/duplicates", JSON: "/web/duplicates?format=json",
		Pairs: "/web/duplicates?format=json&pairs=1", Next: "/web/duplicates?from=50",
		Groups: []groupView{
			{
				duplicates.Mirror,
				layout.Similarity{Value: 0.97, Known: true},
				two, 2, "",
				[]duplicates.HostShare{{
					A: duplicates.HostPages{Host: "www.epa.gov", Alike: 12, Of: 40}, B: duplicates.HostPages{Host: "mirror.example", Alike: 11, Of: 11},
				}},
			},
			{duplicates.Article, layout.Similarity{Value: 0.8, Known: true}, two, 1200, "", nil},
			{duplicates.Copy, layout.Similarity{Value: 1, Known: true}, two, 2, "", nil},
			{duplicates.Version, layout.Similarity{Value: 0.9, Known: true}, two[:1], 1, "", nil},
		},
		Pictures: []groupView{{duplicates.Picture, layout.Similarity{Value: 1, Known: true}, two, 2, "/-/static/varve.svg", nil}},
	}
}
