package home

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/internal/testkit/looks"
	"github.com/varve-archive/varve/replay/pages/layout"
)

const uriR = fixture.URIR

var at = fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	none, notHere := someCollections(lang), oneCollection(lang)
	none.Collections, none.Drop = nil, dropView()
	notHere.Drop = &layout.DropZone{Action: "/-/uploads", Coll: "web", Limit: 1e10}
	return map[string]templ.Component{
		"home": homePage(someCollections(lang)), "uploads-home": homePage(none), "uploads-not-here": collectionPage(notHere),
		"collection": collectionPage(oneCollection(lang)), "counted": collectionPage(countedCollection(lang)),
	}
}

func someCollections(lang string) homeView {
	p := fixture.Page(lang)
	p.Coll, p.URIR, p.Open = banner.Link{}, "", "/"
	return homeView{frame: frame{Page: p}, Collections: []collectionFacts{
		{
			Name: "web", Href: "/web/", Description: "Pages of rivers & towns.", Captures: 123456, Addresses: 41000, Pages: 1200,
			Versions: 9120, Files: 12, First: at(1997, 1, 4, 0, 0), Last: at(2025, 6, 1, 0, 0),
			Years: []layout.YearBar{
				{Year: 1997, Captures: 40_000, Changes: 1, Href: "/web/?since=1997"},
				{Year: 1998, Captures: 0, Changes: 0, Href: "/web/?since=1998"},
				{Year: 1999, Captures: 83_000, Changes: 9119, Href: "/web/?since=1999"},
			},
		},
		{
			Name: "news", Href: "/news/", Captures: 21, Addresses: 1, Versions: 2, Files: 1, First: at(2021, 1, 4, 0, 0),
			Last: at(2021, 6, 1, 0, 0),
		},
	}}
}

func listed(uriR string, captures, versions int, changed, first, last cdx.Timestamp) *holdings.ListedAddress {
	a := holdings.Address{URL: uriR, Captures: captures, First: first, Last: last}
	return &holdings.ListedAddress{Address: a, Versions: versions, Changed: changed}
}

func oneCollection(lang string) collectionView {
	p := fixture.Page(lang)
	p.URIR = ""
	return collectionView{
		frame: frame{Page: p}, Search: "/web/search", Terms: "/web/terms", Addresses: "/web/?url=%2A", Monitor: "/web/monitor",
		Facts: someCollections(lang).Collections[0],
		Entries: []pageLink{
			{listed("http://example.org/", 12, 1, 0, at(2014, 1, 1, 0, 0), at(2014, 6, 1, 0, 0)), "/web/*/http://example.org/"},
		},
		Changed: []pageLink{
			{listed(uriR, 1200, 14, at(2024, 6, 1, 0, 0), at(1997, 1, 4, 0, 0), at(2025, 6, 1, 0, 0)), "/web/*/" + uriR},
		},
		ChangedLast: []pageLink{
			{listed(uriR, 1200, 14, at(2024, 6, 1, 0, 0), at(1997, 1, 4, 0, 0), at(2025, 6, 1, 0, 0)), "/web/*/" + uriR},
		},
		Hosts: []hostRow{{holdings.HostCount{Host: "epa.gov", Pages: 1200, Captures: 123_456, Versions: 9120}, "/web/*/http://epa.gov/*"}},
		Kinds: []kindRow{
			{holdings.SortCount{Sort: "page", Addresses: 1200, Captures: 123_000, Bytes: 5 << 30}, "/web/?type=page&url=%2A"},
			{holdings.SortCount{Sort: "image", Addresses: 39_800, Captures: 456, Bytes: 900}, "/web/?type=image&url=%2A"},
		},
	}
}

// countedCollection is one whose pages are still being counted.
func countedCollection(lang string) collectionView {
	v := oneCollection(lang)
	v.Facts, v.Counting = collectionFacts{Name: "web", Captures: 56_789, Files: 12}, &layout.Progress{Done: 1200, Total: 56_789}
	v.Entries, v.Changed, v.ChangedLast, v.Hosts, v.Kinds = nil, nil, nil, nil, nil
	return v
}

func dropView() *layout.DropZone {
	return &layout.DropZone{
		Action: "/-/uploads", Token: "TOKEN", Coll: "web", Limit: 1e10,
		Collections: []banner.Link{{Href: "news", Text: "News of the town"}, {Href: "web", Text: "Rivers of the north"}},
	}
}

// A page that may not hand in files has neither form nor token, and says why.
func TestWhereFilesCannotBeHandedIn(t *testing.T) {
	with, without := looks.Render(t, fixtures("en")["uploads-home"]), looks.Render(t, fixtures("en")["uploads-not-here"])
	if !strings.Contains(with, "TOKEN") || !strings.Contains(with, `type="file"`) {
		t.Error("files can't be handed in at all")
	}
	if strings.Contains(without, "token") || strings.Contains(without, `type="file"`) || !strings.Contains(without, "only over https") {
		t.Error("files can be handed in, or nothing says why not")
	}
}

// No other page may frame one that takes files.
func TestWhoMayFrameAPage(t *testing.T) {
	for name, f := range map[string]frame{
		"takes files": {Page: fixture.Page("en"), Drop: dropView()}, "takes none": {Page: fixture.Page("en")},
	} {
		w := httptest.NewRecorder()
		v := homeView{frame: f}
		if err := v.render(w, httptest.NewRequest("GET", "/", nil), homePage(v)); err != nil {
			t.Fatal(err)
		}
		if alone := strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'"); alone != (f.Drop != nil) {
			t.Errorf("%s: %s", name, w.Header())
		}
	}
}

// A crawler with a wrong clock doesn't stretch the years, and none between is left out.
func TestYearsOfACollection(t *testing.T) {
	for want, years := range map[string][]int{
		"": {}, "2001:1": {2001}, "2001:1 2002:2": {2001, 2002}, "2001:1 2002:0 2003:0 2004:2": {2001, 2004},
		"2001:2 2002:3": {1920, 2001, 2002}, "2001:3 2002:4": {1800, 1801, 2001, 2002}, "2999:3": {1800, 2001, 2999},
	} {
		var in []holdings.Year
		for i, y := range years {
			in = append(in, holdings.Year{Year: y, Captures: i + 1})
		}
		var got []string
		for _, y := range everyYear(in) {
			got = append(got, fmt.Sprint(y.Year, ":", y.Captures))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%v: %s, want %s", years, s, want)
		}
	}
	if all := everyYear([]holdings.Year{{Year: 1921}, {Year: 2001}}); len(all) != 80 || all[0].Year != 1922 || all[79].Year != 2001 {
		t.Errorf("%v", all)
	}
}

func TestHostileTextStaysText(t *testing.T) {
	const hostile = fixture.Hostile
	v := oneCollection("en")
	v.Facts.Name, v.Entries[0].URL, v.Entries[0].Href, v.Hosts[0].Host, v.Hosts[0].Href = hostile, hostile, hostile, hostile, hostile
	fixture.Escapes(t, map[string]templ.Component{"collection": collectionPage(v)})
}
