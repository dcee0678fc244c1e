package jobs

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/replay/pages/layout"
)

var at = fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"jobs": jobsPage(jobsView(lang)),
	}
}

// jobsView has a job in each state, and a form that was filled in wrongly.
func jobsView(lang string) pageView {
	v := pageView{
		Page: sharedPage(lang), Steer: layout.Steering{Possible: true, Token: "TOKEN"}, Action: "/-/jobs",
		Collections: []banner.Link{{Href: "web", Text: "Rivers"}, {Href: "other", Text: "other"}},
		Form: &layout.Form{
			Values: map[string]string{
				"seeds": "http://a.example/", "max_pages": "ten", "template": "fields: [{name: a, css: b}]", "collection": "web",
			},
			Wrong: "max_pages", Say: `"ten": want a number, 0 for no limit`,
		},
	}
	run, now := crawls.RunView{Started: at(2026, 11, 22, 9, 0)}, crawls.Progress{
		Name: "river", Live: true, Pages: 412, MaxPages: 1000, Docs: 380, Parts: 1204, Bytes: 45_678_901, Seconds: 754,
		Now: layout.Address{
			URIR: "https://www.riverbend.example/gauges/2017/02/a-long-name-of-a-gauge-that-has-no-end?station=412",
			Href: "/web/https://www.riverbend.example/",
		},
		Last: at(2026, 11, 23, 15, 42),
	}
	v.Jobs = []jobView{
		{Href: "/-/jobs/5", State: "waiting", Name: "lake", Waits: true, Left: 20261123150005},
		{Href: "/-/jobs/4", State: "running", Name: "river", Crawl: "/-/crawls/river", Left: 20261123150004, Now: &now},
		{
			Href: "/-/jobs/3", State: "done", Name: "shop", Crawl: "/-/crawls/shop", Documents: "/-/crawls/shop/documents",
			Left: 20261123150003, Run: &run,
		},
		{Href: "/-/jobs/2", State: "failed", Name: "sea", Left: 20261123150002, Error: "no such host"},
		{Href: "/-/jobs/1", State: "canceled", Name: "bay", Left: 20261123150001},
	}
	return v
}

func sharedPage(lang string) layout.Page {
	p := fixture.Page(lang)
	p.URIR, p.Coll, p.Again = "", banner.Link{}, 5
	return p
}
