package views

import (
	"maps"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

const (
	uriR    = fixture.URIR
	hostile = fixture.Hostile
)

var at = fixture.At

func homeView(lang string) HomeView {
	p := fixture.Page(lang)
	p.Coll, p.URIR, p.Open = banner.Link{}, "", "/"
	return HomeView{Page: p, Collections: []CollectionFacts{
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

func collectionView(lang string) CollectionView {
	p := fixture.Page(lang)
	p.URIR = ""
	return CollectionView{
		Page: p, Search: "/web/search", Terms: "/web/terms", Addresses: "/web/?url=%2A", Monitor: "/web/monitor",
		Facts: homeView(lang).Collections[0],
		Entries: []PageLink{
			{"http://example.org/", "/web/*/http://example.org/", 12, 1, 0, at(2014, 1, 1, 0, 0), at(2014, 6, 1, 0, 0)},
		},
		Changed: []PageLink{
			{uriR, "/web/*/" + uriR, 1200, 14, at(2024, 6, 1, 0, 0), at(1997, 1, 4, 0, 0), at(2025, 6, 1, 0, 0)},
		},
		ChangedLast: []PageLink{
			{uriR, "/web/*/" + uriR, 1200, 14, at(2024, 6, 1, 0, 0), at(1997, 1, 4, 0, 0), at(2025, 6, 1, 0, 0)},
		},
		Hosts: []HostRow{{"epa.gov", "/web/*/http://epa.gov/*", 1200, 123_456, 9120}},
		Kinds: []KindRow{
			{"page", "/web/?type=page&url=%2A", 1200, 123_000, 5 << 30}, {"image", "/web/?type=image&url=%2A", 39_800, 456, 900},
		},
	}
}

// countedCollection is one whose pages are still being counted.
func countedCollection(lang string) CollectionView {
	v := collectionView(lang)
	v.Facts, v.Counting = CollectionFacts{Name: "web", Captures: 56_789, Files: 12}, &layout.Progress{Done: 1200, Total: 56_789}
	v.Entries, v.Changed, v.ChangedLast, v.Hosts, v.Kinds = nil, nil, nil, nil, nil
	return v
}

// fixtures are all components with a view, by name.
func fixtures(lang string) map[string]templ.Component {
	all := map[string]templ.Component{
		"home":       Home(homeView(lang)),
		"collection": Collection(collectionView(lang)), "counted": Collection(countedCollection(lang)),
	}
	maps.Copy(all, uploadFixtures(lang))
	return all
}
