package crawls

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

const hostile = fixture.Hostile

var at = fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"crawls":      crawlsPage(crawlsView(lang)),
		"crawls-none": crawlsPage(noCrawls(lang)),
		"crawl":       crawlPage(crawlView(lang)),
	}
}

func TestHostileTextStaysText(t *testing.T) {
	page := fixture.Page("en")
	page.URIR = hostile
	fixture.Escapes(t, map[string]templ.Component{"crawl": crawlPage(hostileCrawl(page))})
}

// crawlsView has a crawl in each state.
func crawlsView(lang string) allView {
	v := allView{Page: sharedPage(lang), Steer: layout.Steering{Possible: true, Token: "TOKEN"}}
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

func crawlOf(name string) Progress {
	return Progress{
		Name: name, Href: "/-/crawls/" + name, State: "running", Live: true, Coll: banner.Link{Href: "/web/", Text: "Rivers of the north"},
		Orders: []string{"pause", "stop"},
		Pages:  412, MaxPages: 1000, Docs: 380, Parts: 1204, Bytes: 45_678_901, Seconds: 754,
		Now: layout.Address{
			URIR: "https://www.riverbend.example/gauges/2017/02/a-long-name-of-a-gauge-that-has-no-end?station=412",
			Href: "/web/https://www.riverbend.example/",
		},
		Status:  []sortCount{{"200", 1580}, {"301", 12}, {"404", 24}},
		Skipped: []sortCount{{"scope", 3120}, {"trap", 40}, {"robots", 7}, {"unreachable", 2}},
		Traps:   []sortCount{{"calendar", 36}, {"path", 4}},
		Begun:   at(2026, 11, 23, 15, 2), Started: at(2026, 11, 23, 15, 30), Last: at(2026, 11, 23, 15, 42),
	}
}

func crawlView(lang string) oneView {
	asked := func(n int, status int, reason, err string) askedView {
		return askedView{
			Address: layout.Address{
				URIR: "https://www.riverbend.example/gauges/" + strings.Repeat("x", n), Href: "/web/https://www.riverbend.example/",
			},
			Time: at(2026, 11, 23, 15, 41), Status: status, Bytes: 12_345, Reason: reason, Error: err,
		}
	}
	page := sharedPage(lang)
	page.Again = 0
	return oneView{
		Page: page, Crawl: crawlOf("river"), All: "/-/crawls", Steer: layout.Steering{Possible: true, Token: "TOKEN"},
		Settings: []keyValue{{"scope", "host"}, {"max_pages", "1000"}, {"template", "title, price"}},
		Seeds:    []layout.Address{{URIR: "https://www.riverbend.example/", Href: "/web/https://www.riverbend.example/"}},
		Recent:   []askedView{asked(3, 200, "", ""), asked(120, 404, "", ""), asked(5, 0, "robots", "")},
		Runs: []RunView{
			{Started: at(2026, 11, 22, 9, 0), Status: nil},
			{
				Started: at(2026, 11, 23, 9, 0), Found: 1200, Known: 900, OutOfScope: 40, Excluded: 3, Visited: 200, Documents: 410, Duplicates: 12,
				Harvested: 150, Rendered: 200, Bytes: 9_000_000, FetchSeconds: 44, RenderSeconds: 310,
				Status: []sortCount{{"200", 190}, {"404", 10}},
			},
		},
		Parameters: []keyValue{{"ref", "www.riverbend.example"}},
		Failed:     []askedView{asked(120, 404, "", ""), asked(9, 0, "unreachable", "dial tcp 192.0.2.1:443: connect: connection refused")},
	}
}

// hostileCrawl has addresses, names and errors that somebody else has made.
func hostileCrawl(page layout.Page) oneView {
	v := crawlView("en")
	v.Page = page
	c := &v.Crawl
	c.Name, c.Href, c.Error, c.Limit, c.State = hostile, hostile, hostile, hostile, hostile
	c.Now, c.Coll = layout.Address{URIR: hostile, Href: hostile}, banner.Link{Href: hostile, Text: hostile}
	v.Runs[1].Status[0].Sort, v.Parameters[0] = hostile, keyValue{hostile, hostile}
	c.Status[0].Sort, c.Skipped[0].Sort, c.Traps[0].Sort = hostile, hostile, hostile
	v.Seeds[0], v.Settings[0] = layout.Address{URIR: hostile}, keyValue{hostile, hostile}
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
		page := looks.Render(t, crawlsPage(v))
		if got := strings.Contains(page, `name="order"`); got != tt.buttons {
			t.Errorf("%+v: buttons %t", tt.steer, got)
		}
		if got := strings.Contains(page, "steered here"); got != tt.note {
			t.Errorf("%+v: note %t", tt.steer, got)
		}
	}
	page := looks.Render(t, crawlsPage(crawlsView("en")))
	for order, want := range map[string]int{"pause": 1, "resume": 1, "stop": 2} {
		if got := strings.Count(page, `value="`+order+`"`); got != want {
			t.Errorf("%d buttons to %s", got, order)
		}
	}
}

func noCrawls(lang string) allView {
	v := crawlsView(lang)
	v.Crawls = nil
	return v
}

func sharedPage(lang string) layout.Page {
	p := fixture.Page(lang)
	p.URIR, p.Coll, p.Again = "", banner.Link{}, 5
	return p
}
