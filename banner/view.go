package banner

import (
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

// A Kind says what a capture or a version is, in the terms of validity ranges.
type Kind uint8

// The kinds of a validity range. Resource is any successful answer that isn't a page.
const (
	KindPage Kind = iota
	KindResource
	KindRedirect
	KindMissing
	KindError
)

// Assets are the URLs of the server's own files, with their versions (see static.URL).
type Assets struct {
	BannerScript   string // "" if the script is already loaded in the page's head
	FramesetScript string // shows the banner of a page whose body is a frameset
	PageStyle      string
	PageScript     string
	SliderScript   string
	UploadScript   string
	InspectScript  string
	CrawlScript    string
	VisualScript   string
}

// A Delta says how a version differs from the one before: how many distinct words it added and deleted, and how many pictures were
// replaced. Known is false if one of them has no text.
type Delta struct {
	Added, Deleted int
	Pictures       int
	Known          bool
}

// A VersionLink leads to the version before or after.
type VersionLink struct {
	Href  string // URI-M, no modifier
	Time  cdx.Timestamp
	Ends  Ending
	Delta Delta // Prev: what this version changed in it; Next: what that version changes
}

// An Ending describes a version that shows no page, so that readers know before they follow an arrow to it.
type Ending struct {
	Kind    Kind
	Soft404 bool
	Home    bool // a redirect to a home page
	Since   int  // the year since which the page has been missing, 0 if it came back
}

// A CaptureLink leads to one capture.
type CaptureLink struct {
	Href string // URI-M, no modifier
	Time cdx.Timestamp
}

// A BannerView is the content of the banner of one memento, at level content. Hrefs are complete: absolute, or beginning with a slash if
// the page has no base elsewhere. "" or nil means no link.
type BannerView struct {
	Lang     string // from locale.Choose
	Assets   Assets
	Home     string // the server's home page
	URIR     string // the capture's own URI-R
	Memento  string // its URI-M, absolute, for sharing
	Time     cdx.Timestamp
	Kind     Kind
	Calendar string
	Diff     string // diff from the previous version's last capture to this one
	Slider   string // all versions on a slider, at this one
	Pictured bool   // the address has pictures, so that level visual can be chosen
	Damage   int    // percentage of the page's resources that isn't archived, by its picture; 0 if there is none

	Open   string // action of the URL box: GET with url=URI-R, at=ts14
	Search string // page that searches what was deleted from this URI-R
	Info   string // page that says where the capture is from
	Feed   string // Atom feed of the changes of this URI-R

	Version, Versions          int           // from 1; 0 if unknown
	Capture, Captures          int           // number of this capture in its version, from 1, and how many there are
	UnchangedFrom, UnchangedTo cdx.Timestamp // first and last capture of this version
	Alternates                 bool          // two wordings alternate from UnchangedFrom on
	PrevVersion, NextVersion   *VersionLink
	Prev, Next                 *CaptureLink  // the adjacent captures, of any version and status
	CaptureList                []CaptureLink // of this version, oldest first; at most [MaxCaptureList] are shown

	Timeline *Timeline // from [NewTimeline]; may be nil

	Embeds    Embeds // what the page loads
	CameFrom  *Link  // the redirect through which the reader came
	CutOff    bool   // the record is truncated
	Source    string // host of the archive that the capture was fetched from, "" if it is our own
	Landing   string // landing page, for a capture that is missing or redirects
	NoRuntime bool   // the server was built without the client-side runtime
	Levels    string // …/changes?url=URI-R, to which the script adds &level= and &at=
	// GoTo is the part of a URI-M of this URI-R before the ts14 ("/web/"). The script completes it to a URI-M when a
	// reader points at a time on the timeline. It may be "".
	GoTo string
}

// MaxCaptureList is the number of captures of a version that the banner lists; the calendar has all of them.
const MaxCaptureList = 100

// A Link is an href with its words, which may be a URI-R.
type Link struct {
	Href string
	Text string
}

// texts is the language of a page.
type texts = *locale.Language
