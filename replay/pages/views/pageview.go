package views

import (
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// CollectionFacts is a collection in figures. A figure of 0 is not shown.
type CollectionFacts struct {
	Name, Href                                  string // Name is what people call it
	Description                                 string
	Look                                        *film.Frame // the newest picture of one of its pages, nil if there is none
	Captures, Addresses, Pages, Versions, Files int         // Versions are those of the pages
	First, Last                                 cdx.Timestamp
	Years                                       []layout.YearBar // of pages; Changes are the versions that began, Href leads to its pages
}

// A HomeView is the page at "/".
type HomeView struct {
	layout.Page
	Collections []CollectionFacts
	NoRuntime   bool // the server was built without the client-side runtime
	Drop        *layout.DropZone
	Crawls      string // the page of crawls, "" leaves it out
	Follows     string // the page of sources that are followed, "" likewise
}

// A CollectionView is the page of one collection.
type CollectionView struct {
	layout.Page
	Facts     CollectionFacts
	Search    string // the page of the search, "" leaves it out
	Terms     string // page of the terms most often deleted
	Addresses string // the list of all addresses; it has parameters
	Monitor   string // the page of what changed lately
	// Duplicates is the page of what is alike.
	Duplicates string
	NoRuntime  bool // the server was built without the client-side runtime
	Drop       *layout.DropZone
	Crawls     string // the page of crawls, "" leaves it out
	Follows    string // the page of sources that are followed, "" likewise

	Counting                        *layout.Progress // of captures, while the pages are counted
	Entries                         []PageLink
	Looks                           []PageLook
	Changed, ChangedLast, LivedLong []PageLink
	Hosts                           []HostRow
	Kinds                           []KindRow
}

// A PageLink is an address of a collection with its figures.
type PageLink struct {
	URIR, Href         string
	Captures, Versions int
	Changed            cdx.Timestamp // 0 if it never did
	First, Last        cdx.Timestamp
}

// A PageLook is a page with pictures of its versions. Href leads to its calendar.
type PageLook struct {
	URIR, Href string
	Film       *film.Film
}

// A HostRow is a host of a collection; Href lists its addresses.
type HostRow struct {
	Host, Href                string
	Pages, Captures, Versions int
}

// A KindRow is a kind of resource, one of [AddressesView.Sorts]; Href lists its addresses.
type KindRow struct {
	Sort, Href          string
	Addresses, Captures int
	Bytes               int64
}
