package home

import (
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// collectionFacts is a collection in figures. A figure of 0 is not shown.
type collectionFacts struct {
	Name, Href                                  string // Name is what people call it
	Description                                 string
	Look                                        *film.Frame // the newest picture of one of its pages, nil if there is none
	Captures, Addresses, Pages, Versions, Files int         // Versions are those of the pages
	First, Last                                 cdx.Timestamp
	Years                                       []layout.YearBar // of pages; Changes are the versions that began, Href leads to its pages
}

// A frame is what both pages have in common.
type frame struct {
	layout.Page
	NoRuntime bool // the server was built without the client-side runtime
	Drop      *layout.DropZone
	Crawls    string // the page of crawls, "" leaves it out
	Follows   string // the page of sources that are followed, "" likewise
}

// A homeView is the page at "/".
type homeView struct {
	frame
	Collections []collectionFacts
}

// A collectionView is the page of one collection.
type collectionView struct {
	frame
	Facts     collectionFacts
	Search    string // the page of the search, "" leaves it out
	Terms     string // page of the terms most often deleted
	Addresses string // the list of all addresses; it has parameters
	Monitor   string // the page of what changed lately
	// Duplicates is the page of what is alike.
	Duplicates string

	Counting                        *layout.Progress // of captures, while the pages are counted
	Entries                         []pageLink
	Looks                           []pageLook
	Changed, ChangedLast, LivedLong []pageLink
	Hosts                           []hostRow
	Kinds                           []kindRow
}

// A pageLink is an address of a collection with its figures.
type pageLink struct {
	*holdings.ListedAddress
	Href string
}

// A pageLook is a page with pictures of its versions. Href leads to its calendar.
type pageLook struct {
	URIR, Href string
	Film       *film.Film
}

// A hostRow is a host of a collection; Href lists its addresses.
type hostRow struct {
	holdings.HostCount
	Href string
}

// A kindRow is a kind of resource; Href lists its addresses.
type kindRow struct {
	holdings.SortCount
	Href string
}

// years says from which year to which an address was captured.
func (p *pageLink) years(t *locale.Language) string {
	from, to := p.First.Year(), p.Last.Year()
	if from == to {
		return t.Plain(from)
	}
	return locale.Fill(t.Overview.SpanOf, t.Plain(from), t.Plain(to))
}

// facts says how often a page was captured and changed.
func (p *pageLink) facts(t *locale.Language) string {
	return t.List(t.Some(t.Versions, p.Versions), t.Some(t.Captures, p.Captures), p.years(t))
}

// yearVersions describes a year of a collection.
func yearVersions(t *locale.Language, y layout.YearBar) string {
	return t.Plain(y.Year) + ": " + t.List(t.Count(t.Captures, y.Captures), t.Some(t.Versions, y.Changes))
}
