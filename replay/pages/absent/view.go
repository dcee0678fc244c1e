package absent

import (
	"net/http"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/ways"
)

// A landingCase says why a reader is shown a landing page instead of a page.
type landingCase uint8

// The cases: a captured redirect, a captured 404 or 410, a page that only says "not found", no capture at all, and two
// for references that can't have a capture: one that is too long, one that is not a URI.
const (
	landingRedirect landingCase = iota
	landingMissing
	landingSoft404
	landingNever
	landingLong
	landingInvalid
)

// A cardView shows one capture with the beginning of its text.
type cardView struct {
	banner.CaptureLink
	URIR    string
	Title   string
	Preview string // the beginning of its visible text
	// Unreadable says that the text can't be read now.
	Unreadable bool
}

// A hopView is one step of a chain of redirects.
type hopView struct {
	URIR   string
	Href   string // URI-M, "" if never captured
	Time   cdx.Timestamp
	Status int
	Loop   bool // it occurs earlier in the chain, which is a circle
}

// A landingView is the landing page of a redirect or of a missing page.
type landingView struct {
	layout.Page
	Case         landingCase
	Time         cdx.Timestamp // of the capture; 0 in the cases from landingNever on
	Status       int
	Target       string    // landingRedirect: the captured Location, absolute
	TargetIsHome bool      // is the home page of its site
	TargetCard   *cardView // the target's capture nearest to the redirect, nil if never captured
	Similarity   layout.Similarity
	Before       *cardView // the last real capture of this URI-R before, nil if none
	After        *cardView // the first after
	Chain        []hopView // from this URI-R on; shown if it has three steps or ends in a loop
	Alternatives []ways.Alternative
	Site         string // the host for which "don't ask again" is remembered
	Calendar     string
	Ways         []ways.Way // to other places
}

// The thresholds for describing similarity: pages above sameFrom are near-duplicates (Broder's 0.75); pages below
// relatedFrom share little more than the frame of their site.
const (
	sameFrom    = 0.75
	relatedFrom = 0.30
)

func (c landingCase) title(t *locale.Language) string {
	switch c {
	case landingRedirect:
		return t.RedirectTitle
	case landingNever, landingLong, landingInvalid:
		return t.NeverTitle
	}
	return t.MissingTitle
}

// beforeClass makes the last real capture the main choice if the redirect leads nowhere.
func (v *landingView) beforeClass() string {
	if v.Case == landingRedirect && v.TargetCard != nil {
		return ""
	}
	return "main"
}

// whatHappened returns the first sentence. For a redirect it still contains {0}, where the target goes.
func (v *landingView) whatHappened(t *locale.Language) string {
	switch v.Case {
	case landingRedirect:
		return locale.Fill(t.RedirectHappened, t.DateTime(v.Time), "{0}")
	case landingMissing:
		return locale.Fill(t.MissingHappened, t.DateTime(v.Time), t.Plain(v.Status))
	case landingSoft404:
		return locale.Fill(t.SoftHappened, t.DateTime(v.Time))
	case landingLong:
		return t.LongHappened
	case landingInvalid:
		return t.InvalidHappened
	}
	return t.NeverHappened
}

// similarityWords says in words how the target relates to the page that was here, "" if there never was one.
func (v *landingView) similarityWords(t *locale.Language) string {
	switch s := v.Similarity; {
	case s.Known && s.Value >= sameFrom:
		return t.SimSame
	case v.TargetIsHome:
		return t.SimHome
	case v.Before == nil && v.After == nil:
		return ""
	case !s.Known:
		return t.SimUnknown
	case s.Value >= relatedFrom:
		return t.SimRelated
	}
	return t.SimOther
}

// chainAddsToSentence reports whether a chain says more than the sentence above it.
func chainAddsToSentence(hops []hopView) bool {
	return len(hops) > 2 || len(hops) > 0 && hops[len(hops)-1].Loop
}

// A failureView is an error page.
type failureView struct {
	layout.Page
	Status   int
	Detail   string // one sentence in English; "" if the status says it all
	Others   []banner.CaptureLink
	Calendar string
	Ways     []ways.Way // to other places
}

func errorTitle(t *locale.Language, status int) string {
	switch status {
	case http.StatusBadRequest:
		return t.ErrBadRequest
	case http.StatusNotFound:
		return t.ErrNotFound
	case http.StatusBadGateway:
		return t.ErrBroken
	case http.StatusServiceUnavailable:
		return t.ErrUnreadable
	case http.StatusUnavailableForLegalReasons:
		return t.ErrBlocked
	}
	return t.ErrOther
}
