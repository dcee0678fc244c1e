package feed

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/internal/testkit/looks"
	"github.com/varve-archive/varve/replay/pages/layout"
)

var at = fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

// fixtures are the page of what changed lately: with changes of each kind, and with none.
func fixtures(lang string) map[string]templ.Component {
	none := monitorView(lang)
	none.Rows, none.Total, none.Bounded = nil, 0, false
	none.Newest = &banner.CaptureLink{Href: "/web/20170218114200/" + fixture.URIR, Time: at(2017, 2, 18, 11, 42)}
	none.SinceNewest = "/web/monitor?since=20170119"
	return map[string]templ.Component{"monitor": monitorPage(monitorView(lang)), "monitor-none": monitorPage(none)}
}

func monitorView(lang string) pageView {
	p := fixture.Page(lang)
	p.URIR, p.Feed = "", "/web/feed"
	row := func(title, path string) rowView {
		u := "http://www.epa.gov/" + path
		return rowView{
			CaptureLink: banner.CaptureLink{Href: "/web/20170218114200/" + u, Time: at(2017, 2, 18, 11, 42)}, URIR: u, Title: title,
			Calendar: "/web/*/" + u, Diff: "/web/diff/20170120000000/20170218114200/" + u, Rested: at(2017, 1, 20, 0, 0),
		}
	}
	gone, edited, long := row("Climate", "climate"), row("Acid Rain", "acidrain"), row("", "ozone")
	small, added := row("Air", "air"), row("New", "new")
	gone.Kind, gone.Share = banner.KindMissing, 1
	edited.Delta, edited.Share = banner.Delta{Added: 12, Deleted: 40, Known: true}, 0.412
	long.Delta, long.Share, long.Rested = banner.Delta{Added: 3, Deleted: 0, Known: true}, 0.2, at(2012, 2, 1, 0, 0)
	small.Delta, small.Share = banner.Delta{Added: 1, Deleted: 0, Known: true}, 0.001
	added.First, added.Share, added.Diff, added.Rested = true, 1, "", 0
	return pageView{
		Page: p, Since: at(2017, 2, 11, 0, 0), Total: 1234, Bounded: true, Action: "/web/monitor", JSON: "/web/monitor?output=json",
		RisingRows: []rising{
			{Term: "flood", Changes: 12, Expected: 0.43, Search: "/web/search?q=flood"},
			{Term: "dyke", Changes: 3, Expected: 1.5, Search: "/web/search?q=dyke"},
		},
		Rows: []rowView{gone, edited, long, small, added}, Hidden: []layout.Hidden{{Name: "level", Value: "text"}},
		Spans: []spanView{
			{"1d", "/web/monitor?since=1d", false},
			{"7d", "/web/monitor?since=7d", true},
			{"30d", "/web/monitor?since=30d", false},
			{"365d", "/web/monitor?since=365d", false},
		},
	}
}

// What differs is never said to be nothing of the content.
func TestASmallShareIsNotNothing(t *testing.T) {
	t.Parallel()
	page := looks.Render(t, monitorPage(monitorView("en")))
	for _, want := range []string{
		"1% of the content", "41% of the content", "unchanged for 5 years before", "new here",
		"at least 1,234 changes",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	if strings.Contains(page, ">0% of") || strings.Contains(page, " 0% of") {
		t.Error("a change is said to be nothing")
	}
}

func TestHostileTextStaysText(t *testing.T) {
	v := monitorView("en")
	for _, text := range []*string{&v.URIR, &v.Of, &v.SinceAsked, &v.Rows[0].Title, &v.Rows[1].URIR} {
		*text = fixture.Hostile
	}
	fixture.Escapes(t, map[string]templ.Component{"monitor": monitorPage(v)})
}

// Half a year without a change is worth telling.
func TestHowLongAPageRested(t *testing.T) {
	since := cdx.Timestamp(20160101000000)
	for d, want := range map[time.Duration]bool{restTold: true, restTold - time.Second: false} {
		r := rowView{CaptureLink: banner.CaptureLink{Time: cdx.FromTime(since.Time().Add(d))}, Rested: since}
		if got := r.rested(locale.For("en")); (got != "") != want {
			t.Errorf("after %s: %q", d, got)
		}
	}
}
