package settings

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"settings": settingsPage(settingsView(lang)),
	}
}

// settingsView has templates that were saved, and rankings that are wrong.
func settingsView(lang string) pageView {
	return pageView{
		Page: sharedPage(lang), Steer: layout.Steering{Possible: true, Token: "TOKEN"}, Action: "/-/settings?collection=web",
		Coll: banner.Link{Href: "/web/", Text: "Rivers"}, Others: []banner.Link{{Href: "/-/settings?collection=other", Text: "other"}},
		Templates: textView{Text: "fields: []", File: "fields: [{fields: [{name: a, css: b}]}]", Saved: true},
		Rankings:  textView{Text: "ranking: {x: 1}", Wrong: "line 1: unknown key x"},
	}
}

func sharedPage(lang string) layout.Page {
	p := fixture.Page(lang)
	p.URIR, p.Coll, p.Again = "", banner.Link{}, 5
	return p
}
