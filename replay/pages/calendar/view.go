package calendar

import (
	"iter"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A dayBar is a day of the calendar with at least one capture.
type dayBar struct {
	Time     cdx.Timestamp // any time of the day
	Captures int
	Changes  int // versions that began on this day, without the very first
	Kind     banner.Kind
	Href     string // the list of its captures
	Damage   int    // percentage of the page's resources that isn't archived; 0 if it was not pictured then
}

// A versionView is one validity range. First and Last lead to its first and last capture.
type versionView struct {
	First, Last banner.CaptureLink
	Until       cdx.Timestamp // first capture of the next version; 0 if there is none yet
	Captures    int
	layout.VersionNote
	Status int
	Delta  banner.Delta
	Diff   string // diff with the version before, "" for the first
	Coll   string // the collection of its first capture, where several are together
}

// A dayView lists the captures of one day. Prev and Next lead to the nearest days with captures.
type dayView struct {
	Time       cdx.Timestamp // any time of the day
	Rows       []captureRow
	More       int // captures that are not in Rows
	Prev, Next string
}

// A pageView is the page at …/*/URI-R, with one year in view. Years, Days and Versions are oldest first.
type pageView struct {
	layout.Page
	Captures     int
	Years        []layout.YearBar // every one from the first to the last capture
	Year         int              // whose days are in Days
	Days         []dayBar
	Day          *dayView // nil if no day was chosen
	Versions     []versionView
	FirstVersion int                 // number of the first of Versions, from 1
	AllVersions  bool                // Versions has those of all years
	Counts       []layout.LevelCount // of versions; those shown in Versions have no Href
	Film         *film.Film
	Table        string // the TimeMap as a page
	Slider       string // all versions on a slider
	Search       string // action of the change search: GET with q, change, url and matchType=exact; "" leaves it out
	Together     string // calendar over all collections, "" if only this one has the URI-R
	Colls        []shareView
}

// A shareView is a collection's share of a calendar over several. Href is its own calendar.
type shareView struct {
	Coll, Name, Href   string
	Captures, Versions int
}

// A captureRow is one line of a TimeMap.
type captureRow struct {
	banner.CaptureLink
	Status int
	MIME   string
	Change string             // how it differs from the one before it, as the CDX field of that name says
	Note   layout.VersionNote // of its version
	Coll   string             // the collection it is in, where several are together
}

// A timeMapView is a TimeMap as a page. Rows is iterated once, while the page is written.
type timeMapView struct {
	layout.Page
	Rows       iter.Seq[captureRow]
	Prev, Next string
	Calendar   string
	Formats    []banner.Link // the other formats: "link", "json", "cdxj"
}

func (v *pageView) title(t texts) string {
	if len(v.Colls) > 0 {
		return t.Overview.InCollections
	}
	return t.CalendarOf
}
