package calendar

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A calendar counts by years and days; the very first version is no change, in whatever year one looks.
func TestCalendarsCount(t *testing.T) {
	tl := fixture.Timeline(20131231235959, 20150101100000, 20150101230000, 20150102000000, 20150102120000, 20150102130000, 20150102140000)
	c := &calendar{
		Timeline: tl, uris: memento.URIs{Coll: "web"}, uriR: "http://a.example/", level: change.LevelContent,
		ranges: fixture.Versions(20131231235959, 20150102120000, 20150102130000),
	}
	href := func(when string) string { return "/web/" + when + "*/http://a.example/" }
	want := []dayBar{
		{Time: 20150101100000, Href: href("20150101") + "#day", Captures: 2, Kind: banner.KindPage},
		{Time: 20150102000000, Href: href("20150102") + "#day", Captures: 4, Changes: 2, Kind: banner.KindPage},
	}
	if d := cmp.Diff(want, c.days(c.between(20150000, 20160000))); d != "" {
		t.Error(d)
	}
	oldest := []dayBar{{Time: 20131231235959, Href: href("20131231") + "#day", Captures: 1, Kind: banner.KindPage}}
	if d := cmp.Diff(oldest, c.days(c.between(20130000, 20140000))); d != "" {
		t.Error(d)
	}
	if got := c.days(c.between(20140000, 20150000)); got != nil {
		t.Errorf("in a year without captures: %v", got)
	}
	years := []layout.YearBar{
		{Year: 2013, Captures: 1, Href: href("2013")},
		{Year: 2014},
		{Year: 2015, Captures: 6, Changes: 2, Href: href("2015")},
	}
	if d := cmp.Diff(years, c.years()); d != "" {
		t.Error(d)
	}
	for when, want := range map[string]int{"": 2015, "2": 2015, "2013": 2013, "2014": 2014, "20131231": 2013, "2012": 2015, "2016": 2015} {
		if c.when = when; c.year() != want {
			t.Errorf("%q shows %d, want %d", when, c.year(), want)
		}
	}
	before := &calendar{
		Timeline: fixture.Timeline(20130101000000, 20130601000000, 20140101000000, 20150101100000, 20150301000000), uris: c.uris, uriR: c.uriR,
		level: c.level, ranges: fixture.Versions(20130101000000, 20130601000000, 20140101000000, 20150301000000),
	}
	days := before.days(before.between(20150000, 20160000))
	if len(days) != 2 || days[0].Changes != 0 || days[1].Changes != 1 {
		t.Errorf("versions that began in years before are changes of %+v", days)
	}
	c.level = change.LevelText
	if got := c.at("20150102"); got != "/web/?level=text&on=20150102&url=http%3A%2F%2Fa.example%2F" {
		t.Errorf("by text: %s", got)
	}
}

// Where there are too many versions, those of the year in view are listed.
func TestVersionsBesideACalendar(t *testing.T) {
	var all []cdx.Timestamp
	for i := range maxOfAllYears + 1 {
		all = append(all, cdx.Timestamp(20100101000000+1e10*(i/40)+i))
	}
	for n, want := range map[int][2]int{maxOfAllYears: {1, maxOfAllYears}, maxOfAllYears + 1: {41, 40}} {
		tl := fixture.Timeline(all[:n]...)
		c := &calendar{Timeline: tl, uris: memento.URIs{Coll: "web"}, uriR: "http://a.example/", ranges: fixture.Versions(all[:n]...)}
		v := pageView{Year: 2011}
		c.versions(&v)
		if got := [2]int{v.FirstVersion, len(v.Versions)}; got != want || v.AllVersions != (n == maxOfAllYears) {
			t.Errorf("of %d: %d versions from number %d on, want %v", n, got[1], got[0], want)
		}
	}
}
