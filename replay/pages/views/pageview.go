package views

import (
	"iter"

	"github.com/varve-archive/varve/banner"
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

// A Day is a day of the calendar with at least one capture.
type Day struct {
	Time     cdx.Timestamp // any time of the day
	Captures int
	Changes  int // versions that began on this day, without the very first
	Kind     banner.Kind
	Href     string // the list of its captures
	Damage   int    // percentage of the page's resources that isn't archived; 0 if it was not pictured then
}

// A Version is one validity range. First and Last lead to its first and last capture.
type Version struct {
	First, Last banner.CaptureLink
	Until       cdx.Timestamp // first capture of the next version; 0 if there is none yet
	Captures    int
	layout.VersionNote
	Status int
	Delta  banner.Delta
	Diff   string // diff with the version before, "" for the first
	Coll   string // the collection of its first capture, where several are together
}

// A DayView lists the captures of one day. Prev and Next lead to the nearest days with captures.
type DayView struct {
	Time       cdx.Timestamp // any time of the day
	Rows       []CaptureRow
	More       int // captures that are not in Rows
	Prev, Next string
}

// A CalendarView is the page at …/*/URI-R, with one year in view. Years, Days and Versions are oldest first.
type CalendarView struct {
	layout.Page
	Captures     int
	Years        []layout.YearBar // every one from the first to the last capture
	Year         int              // whose days are in Days
	Days         []Day
	Day          *DayView // nil if no day was chosen
	Versions     []Version
	FirstVersion int                 // number of the first of Versions, from 1
	AllVersions  bool                // Versions has those of all years
	Counts       []layout.LevelCount // of versions; those shown in Versions have no Href
	Film         *film.Film
	Table        string // the TimeMap as a page
	Slider       string // all versions on a slider
	Search       string // action of the change search: GET with q, change, url and matchType=exact; "" leaves it out
	Together     string // calendar over all collections, "" if only this one has the URI-R
	Colls        []CollCaptures
}

// A CollCaptures is a collection's share of a calendar over several. Href is its own calendar.
type CollCaptures struct {
	Name, Href         string
	Captures, Versions int
}

// A Change says how a capture differs from the one before it, like the CDX field of that name.
type Change uint8

// The levels of a change. ChangeUnknown: there was nothing to compare with.
const (
	ChangeUnknown Change = iota
	ChangeNone
	ChangeAny
	ChangeText
	ChangeContent
)

// A CaptureRow is one line of a TimeMap.
type CaptureRow struct {
	banner.CaptureLink
	Status int
	MIME   string
	Change Change
	Note   layout.VersionNote // of its version
	Coll   string             // the collection it is in, where several are together
}

// A TimeMapView is a TimeMap as a page. Rows is iterated once, while the page is written.
type TimeMapView struct {
	layout.Page
	Rows       iter.Seq[CaptureRow]
	Prev, Next string
	Calendar   string
	Formats    []banner.Link // the other formats: "link", "json", "cdxj"
}
