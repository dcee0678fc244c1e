package views

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/ways"
)

// A LandingCase says why a reader is shown a landing page instead of a page.
type LandingCase uint8

// The cases: a captured redirect, a captured 404 or 410, a page that only says "not found", no capture at all, and two
// for references that can't have a capture: one that is too long, one that is not a URI.
const (
	LandingRedirect LandingCase = iota
	LandingMissing
	LandingSoft404
	LandingNever
	LandingLong
	LandingInvalid
)

// A Card shows one capture with the beginning of its text.
type Card struct {
	banner.CaptureLink
	URIR    string
	Title   string
	Preview string // the beginning of its visible text
	// Unreadable says that the text can't be read now.
	Unreadable bool
}

// A Hop is one step of a chain of redirects.
type Hop struct {
	URIR   string
	Href   string // URI-M, "" if never captured
	Time   cdx.Timestamp
	Status int
	Loop   bool // it occurs earlier in the chain, which is a circle
}

// A LandingView is the landing page of a redirect or of a missing page.
type LandingView struct {
	layout.Page
	Case         LandingCase
	Time         cdx.Timestamp // of the capture; 0 in the cases from LandingNever on
	Status       int
	Target       string // LandingRedirect: the captured Location, absolute
	TargetIsHome bool   // is the home page of its site
	TargetCard   *Card  // the target's capture nearest to the redirect, nil if never captured
	Similarity   layout.Similarity
	Before       *Card // the last real capture of this URI-R before, nil if none
	After        *Card // the first after
	Chain        []Hop // from this URI-R on; shown if it has three steps or ends in a loop
	Alternatives []ways.Alternative
	Site         string // the host for which "don't ask again" is remembered
	Calendar     string
	Ways         []ways.Way // to other places
}
