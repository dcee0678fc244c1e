package views

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A MonitorView is the page of what changed since a datetime, most important first.
type MonitorView struct {
	layout.Page
	Of           string // an address, or a prefix of addresses; "" is the collection
	Since, Until cdx.Timestamp
	SinceAsked   string // as it was typed, "" for one of Spans
	Spans        []MonitorSpan
	Action       string          // of the form: GET with since=
	Hidden       []layout.Hidden // its other parameters
	Total        int             // of changes, including those not in Rows
	Bounded      bool            // there may be more
	Rows         []MonitorRow
	Newest       *banner.CaptureLink // the newest change, if there is none in Rows; SinceNewest shows it
	SinceNewest  string
	JSON         string // the same as data
	Rising       string // the same with rising terms, "" if there is no search
	RisingShown  bool
	RisingRows   []RisingRow
}

// A MonitorSpan is a choice of the period. Days is a number of days, as "7d".
type MonitorSpan struct {
	Days, Href string
	Current    bool
}

// A MonitorRow is a change.
type MonitorRow struct {
	banner.CaptureLink
	URIR, Title    string
	Calendar, Diff string // Diff is "" for a first version
	Kind           banner.Kind
	Note           layout.VersionNote
	First          bool
	Delta          banner.Delta
	Share          float64       // of the content, from 0 to 1
	Rested         cdx.Timestamp // start of the version before
}

// A RisingRow is a rising term. Expected is the number of changes if its past rate continued.
type RisingRow struct {
	Text, Href string
	Changes    int
	Expected   float64
}
