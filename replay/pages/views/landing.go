package views

import (
	"strconv"

	"github.com/varve-archive/varve/banner/locale"
)

// The thresholds for describing similarity: pages above sameFrom are near-duplicates (Broder's 0.75); pages below
// relatedFrom share little more than the frame of their site.
const (
	sameFrom    = 0.75
	relatedFrom = 0.30
)

func (c LandingCase) title(t texts) string {
	switch c {
	case LandingRedirect:
		return t.RedirectTitle
	case LandingNever, LandingLong, LandingInvalid:
		return t.NeverTitle
	}
	return t.MissingTitle
}

// beforeClass makes the last real capture the main choice if the redirect leads nowhere.
func (v *LandingView) beforeClass() string {
	if v.Case == LandingRedirect && v.TargetCard != nil {
		return ""
	}
	return "main"
}

// whatHappened returns the first sentence. For a redirect it still contains {0}, where the target goes.
func (v *LandingView) whatHappened(t texts) string {
	switch v.Case {
	case LandingRedirect:
		return locale.Fill(t.RedirectHappened, t.DateTime(v.Time), "{0}")
	case LandingMissing:
		return locale.Fill(t.MissingHappened, t.DateTime(v.Time), strconv.Itoa(v.Status))
	case LandingSoft404:
		return locale.Fill(t.SoftHappened, t.DateTime(v.Time))
	case LandingLong:
		return t.LongHappened
	case LandingInvalid:
		return t.InvalidHappened
	}
	return t.NeverHappened
}

// similarityWords says in words how the target relates to the page that was here.
func (v *LandingView) similarityWords(t texts) string {
	switch s := v.Similarity; {
	case s.Known && s.Value >= sameFrom:
		return t.SimSame
	case v.TargetIsHome:
		return t.SimHome
	case !s.Known:
		return t.SimUnknown
	case s.Value >= relatedFrom:
		return t.SimRelated
	}
	return t.SimOther
}

// chainTells reports whether a chain says more than the sentence above it.
func chainTells(hops []Hop) bool {
	return len(hops) > 2 || len(hops) > 0 && hops[len(hops)-1].Loop
}
