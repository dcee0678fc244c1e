package following

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

var at = fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	p := sharedPage(lang)
	ended := followOf("weblogs")
	ended.Running, ended.Spent, ended.MostRequests = false, true, 0
	return map[string]templ.Component{
		"follows":      followsPage(allView{Page: p, Follows: []nameView{followOf("news"), ended}}),
		"follows-none": followsPage(allView{Page: p}),
		"follow":       followPage(oneView{Page: p, All: "/-/follow", Follow: followOf("news"), Sources: followedSources()}),
	}
}

func sharedPage(lang string) layout.Page {
	p := fixture.Page(lang)
	p.URIR, p.Coll = "", banner.Link{}
	return p
}
