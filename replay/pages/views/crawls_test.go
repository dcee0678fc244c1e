package views

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/internal/testkit/looks"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// crawlFixtures are the pages about crawls.
func crawlFixtures(lang string) map[string]templ.Component {
	none := crawlsView(lang)
	none.Crawls = nil
	return map[string]templ.Component{
		"crawls": Crawls(crawlsView(lang)), "crawls-none": Crawls(none), "crawl": CrawlPage(crawlView(lang)),
		"jobs": Jobs(jobsView(lang)), "settings": Settings(settingsView(lang)),
	}
}

// jobsView has a job in each state, and a form that was filled in wrongly.
func jobsView(lang string) JobsView {
	v := JobsView{
		Page: crawlsPage(lang), Steer: layout.Steering{Possible: true, Token: "TOKEN"}, Action: "/-/jobs",
		Collections: []banner.Link{{Href: "web", Text: "Rivers"}, {Href: "other", Text: "other"}},
		Form: &layout.Form{
			Values: map[string]string{
				"seeds": "http://a.example/", "max_pages": "ten", "template": "fields: [{name: a, css: b}]", "collection": "web",
			},
			Wrong: "max_pages", Say: `"ten": want a number, 0 for no limit`,
		},
	}
	run, now := crawlView(lang).Runs[0], crawlView(lang).Crawl
	v.Jobs = []Job{
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

// settingsView has templates that were saved, and rankings that are wrong.
func settingsView(lang string) SettingsView {
	return SettingsView{
		Page: crawlsPage(lang), Steer: layout.Steering{Possible: true, Token: "TOKEN"}, Action: "/-/settings?collection=web",
		Coll: banner.Link{Href: "/web/", Text: "Rivers"}, Others: []banner.Link{{Href: "/-/settings?collection=other", Text: "other"}},
		Templates: SettingsText{Text: "fields: []", File: "fields: [{fields: [{name: a, css: b}]}]", Saved: true},
		Rankings:  SettingsText{Text: "ranking: {x: 1}", Wrong: "line 1: unknown key x"},
	}
}

func crawlsPage(lang string) layout.Page {
	p := fixture.Page(lang)
	p.URIR, p.Coll, p.Again = "", banner.Link{}, 5
	return p
}

// crawlsView has a crawl in each state.
func crawlsView(lang string) CrawlsView {
	v := CrawlsView{Page: crawlsPage(lang), Steer: layout.Steering{Possible: true, Token: "TOKEN"}}
	for _, state := range []string{"running", "paused", "new", "completed", "stopped", "failed"} {
		c := crawlOf("river-" + state)
		c.State, c.Live = state, state == "running" || state == "paused" || state == "new"
		switch state {
		case "new":
			c.Pages, c.Parts, c.Bytes, c.Docs, c.Seconds, c.Now, c.Orders = 0, 0, 0, 0, 0, layout.Address{}, nil
		case "running":
			c.Orders = []string{"pause", "stop"}
		case "paused":
			c.Orders = []string{"resume", "stop"}
		case "completed":
			c.Limit = "max_pages"
		case "failed":
			c.Error = "write /data/warcs/river.warc.gz: no space left on device"
		}
		if !c.Live {
			c.Now, c.Orders = layout.Address{}, nil
		}
		v.Crawls = append(v.Crawls, c)
	}
	return v
}

func crawlOf(name string) Crawl {
	return Crawl{
		Name: name, Href: "/-/crawls/" + name, State: "running", Live: true, Coll: banner.Link{Href: "/web/", Text: "Rivers of the north"},
		Orders: []string{"pause", "stop"},
		Pages:  412, MaxPages: 1000, Docs: 380, Parts: 1204, Bytes: 45_678_901, Seconds: 754,
		Now: layout.Address{
			URIR: "https://www.riverbend.example/gauges/2017/02/a-long-name-of-a-gauge-that-has-no-end?station=412",
			Href: "/web/https://www.riverbend.example/",
		},
		Status:  []CrawlCount{{"200", 1580}, {"301", 12}, {"404", 24}},
		Skipped: []CrawlCount{{"scope", 3120}, {"trap", 40}, {"robots", 7}, {"unreachable", 2}},
		Traps:   []CrawlCount{{"calendar", 36}, {"path", 4}},
		Begun:   at(2026, 11, 23, 15, 2), Started: at(2026, 11, 23, 15, 30), Last: at(2026, 11, 23, 15, 42),
	}
}

func crawlView(lang string) CrawlView {
	asked := func(n int, status int, reason, err string) CrawlAsked {
		return CrawlAsked{
			Address: layout.Address{
				URIR: "https://www.riverbend.example/gauges/" + strings.Repeat("x", n), Href: "/web/https://www.riverbend.example/",
			},
			Time: at(2026, 11, 23, 15, 41), Status: status, Bytes: 12_345, Reason: reason, Error: err,
		}
	}
	page := crawlsPage(lang)
	page.Again = 0
	return CrawlView{
		Page: page, Crawl: crawlOf("river"), All: "/-/crawls", Steer: layout.Steering{Possible: true, Token: "TOKEN"},
		Settings: []KeyValue{{"scope", "host"}, {"max_pages", "1000"}, {"template", "title, price"}},
		Seeds:    []layout.Address{{URIR: "https://www.riverbend.example/", Href: "/web/https://www.riverbend.example/"}},
		Recent:   []CrawlAsked{asked(3, 200, "", ""), asked(120, 404, "", ""), asked(5, 0, "robots", "")},
		Runs: []CrawlRun{
			{Started: at(2026, 11, 22, 9, 0), Status: nil},
			{
				Started: at(2026, 11, 23, 9, 0), Found: 1200, Known: 900, OutOfScope: 40, Excluded: 3, Visited: 200, Documents: 410, Duplicates: 12,
				Harvested: 150, Rendered: 200, Bytes: 9_000_000, FetchSeconds: 44, RenderSeconds: 310,
				Status: []CrawlCount{{"200", 190}, {"404", 10}},
			},
		},
		Parameters: []KeyValue{{"ref", "www.riverbend.example"}},
		Failed:     []CrawlAsked{asked(120, 404, "", ""), asked(9, 0, "unreachable", "dial tcp 192.0.2.1:443: connect: connection refused")},
	}
}

// hostileCrawl has addresses, names and errors that somebody else has made.
func hostileCrawl(page layout.Page) CrawlView {
	v := crawlView("en")
	v.Page = page
	c := &v.Crawl
	c.Name, c.Href, c.Error, c.Limit, c.State = hostile, hostile, hostile, hostile, hostile
	c.Now, c.Coll = layout.Address{URIR: hostile, Href: hostile}, banner.Link{Href: hostile, Text: hostile}
	v.Runs[1].Status[0].Sort, v.Parameters[0] = hostile, KeyValue{hostile, hostile}
	c.Status[0].Sort, c.Skipped[0].Sort, c.Traps[0].Sort = hostile, hostile, hostile
	v.Seeds[0], v.Settings[0] = layout.Address{URIR: hostile}, KeyValue{hostile, hostile}
	v.Recent[0].Address, v.Failed[1].Error, v.Failed[1].Reason = layout.Address{URIR: hostile, Href: hostile}, hostile, hostile
	return v
}

// Each state and each reason says something of its own, in every language.
func TestStatesOfCrawls(t *testing.T) {
	for _, lang := range []string{"en", "de", "fa", "ru", "uk", "zh"} {
		said := map[string]string{}
		say := func(what, s string) {
			if other := said[s]; s == "" || s == what || other != "" {
				t.Errorf("%s: %s says %q, as %s does", lang, what, s, other)
			}
			said[s] = what
		}
		texts := locale.For(lang)
		for _, state := range []string{"new", "running", "paused", "completed", "stopped", "failed"} {
			if s := crawlState(texts, state); s == state && lang == "en" {
				said[s] = state
			} else {
				say(state, s)
			}
		}
		for _, reason := range []string{"robots", "scope", "depth", "excluded", "private", "unreachable", "malformed", "trap"} {
			say(reason, crawlReason(texts, reason))
		}
		for _, sort := range []string{"length", "path", "redirects", "calendar"} {
			say(sort, crawlTrap(texts, sort))
		}
	}
}

// Only a page with a token has buttons, and only those that a crawl heeds; one without says why.
func TestWhoSteersCrawls(t *testing.T) {
	for _, tt := range []struct {
		steer         layout.Steering
		buttons, note bool
	}{
		{layout.Steering{Possible: true, Token: "TOKEN"}, true, false},
		{layout.Steering{Possible: true}, false, true},
		{layout.Steering{}, false, false},
	} {
		v := crawlsView("en")
		v.Steer = tt.steer
		page := looks.Render(t, Crawls(v))
		if got := strings.Contains(page, `name="order"`); got != tt.buttons {
			t.Errorf("%+v: buttons %t", tt.steer, got)
		}
		if got := strings.Contains(page, "steered here"); got != tt.note {
			t.Errorf("%+v: note %t", tt.steer, got)
		}
	}
	page := looks.Render(t, Crawls(crawlsView("en")))
	for order, want := range map[string]int{"pause": 1, "resume": 1, "stop": 2} {
		if got := strings.Count(page, `value="`+order+`"`); got != want {
			t.Errorf("%d buttons to %s", got, order)
		}
	}
}
