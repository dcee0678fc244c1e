package comparison

import (
	"net/http"
	"strings"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A SliderView is the page that shows all versions of a URI-R on a slider, each compared with the next. It holds one
// pair; the script fetches the others when the reader gets to them.
type SliderView struct {
	layout.Page
	Film     *film.Film
	Captures int
	Versions []layout.LevelCount // at each level; those shown have no Href
	Level    banner.Level        // of the versions shown
	Pairs    int                 // of neighbouring versions; 0 if there is one version only
	Index    int                 // of the pair shown, from 0
	Self     string              // address of this pair, to be kept and shared
	Position string              // address of any pair, without the index at its end
	Find     string              // action of the box for a word or phrase: GET with url=URI-R and term
	Steps    Steps
	Years    []banner.Link   // the first pair of each year; at most [MaxSliderYears] are shown
	Dates    []cdx.Timestamp // when pairs begin, spread evenly: at most [MaxSliderDates]
	Life     *Life
	Pair     pairView
	Term     *sliderTerm // nil if nothing is looked for
	Calendar string
}

// MaxSliderDates is the number of dates on a page, which show the approximate position on the slider.
const MaxSliderDates = 100

// MaxSliderYears is how many years have a link to their first pair.
const MaxSliderYears = 40

// Steps are links to other pairs; "" if there is none in that direction.
type Steps struct{ First, Earlier, Later, Last string }

// A pairView is two neighbouring versions and how they differ.
type pairView struct {
	Difference
	Older   versionSide
	Newer   *versionSide     // nil if there is one version only
	Unshown *respond.Failure // why one of the two can't be shown, nil if both can
	Terms   []TermCount
	Watch   string // the change as an animation, "" if there is none
	Visual  string // the change as pictures, "" if there are none
}

// A versionSide is one of two versions, represented by its capture nearest to the other version.
type versionSide struct {
	DiffSide
	First, Last cdx.Timestamp // of its captures
	Captures    int
	Kind        banner.Kind
	Status      int
	Soft404     bool
	MIME        string // of a resource
	Target      string // of a redirect
}

// A sliderTerm is the text that a reader looks for in the versions.
type sliderTerm struct {
	Text           string // as it was typed
	Earlier, Later string // nearest pairs that change it; "" for none
	// LookBack and LookOn continue a search for the nearest pair that stopped early; "" if it didn't.
	LookBack, LookOn string
}

// direction returns the rel of a link to an earlier or later pair.
func direction(later bool) string {
	if later {
		return "next"
	}
	return "prev"
}

func (v *SliderView) termText() string {
	if v.Term == nil {
		return ""
	}
	return v.Term.Text
}

// dates returns the days of Dates for the script, as numbers of eight digits.
func (v *SliderView) dates() string {
	var days []string
	for _, d := range v.Dates {
		days = append(days, d.String()[:8])
	}
	return strings.Join(days, " ")
}

// kindsTell reports whether the kinds of the two versions say more than the difference of their texts.
func (p *pairView) kindsTell() bool {
	return p.Newer != nil && (p.NoText && p.Unshown == nil || p.Older.Kind != p.Newer.Kind)
}

// position returns a phrase like "Change 14 of 56", which the slider says while it is moved.
func (v *SliderView) position(t texts) string {
	return locale.Fill(t.ChangeOf, t.Number(v.Index+1), t.Number(v.Pairs))
}

// dates returns the time in which a pair's change happened.
func (p *pairView) dates(t texts) string {
	if p.Newer == nil {
		return t.Short(p.Older.Time)
	}
	return t.Short(p.Older.Time) + " – " + t.Short(p.Newer.Time)
}

// summary summarizes what a pair changes, in one line.
func (p *pairView) summary(t texts) string {
	switch {
	case p.Newer == nil:
		return t.OneVersion
	case p.Unshown != nil && p.Unshown.Status == http.StatusUnavailableForLegalReasons:
		return t.ErrBlocked
	case p.Unshown != nil:
		return t.ErrUnreadable
	case p.NoText && len(p.Pictures) == 0:
		return t.NoText
	}
	return p.Difference.summary(t)
}

// captureSpan says how many captures a version has, and from when to when.
func (s *versionSide) captureSpan(t texts) string {
	if s.First == s.Last {
		return t.Count(t.UnchangedCaptures, s.Captures)
	}
	return t.List(t.Count(t.UnchangedCaptures, s.Captures), locale.Fill(t.FromTo, t.Short(s.First), t.Short(s.Last)))
}

// description says what a version is. {0} marks the place for the target of a redirect.
func (s *versionSide) description(t texts) string {
	switch {
	case s.Kind == banner.KindRedirect && s.Target == "":
		return withStatus(t, t.LegendRedirect, s.Status)
	case s.Kind == banner.KindRedirect:
		return locale.Fill(t.IsRedirect, "{0}", t.Plain(s.Status))
	case s.Soft404:
		return t.SoftMissing
	case s.Kind == banner.KindMissing:
		return withStatus(t, t.LegendMissing, s.Status)
	case s.Kind == banner.KindError:
		return withStatus(t, t.LegendError, s.Status)
	case s.Kind == banner.KindResource:
		return locale.Fill(t.IsFile, s.MIME)
	}
	return t.IsPage
}

func withStatus(t texts, words string, status int) string {
	if status == 0 {
		return words
	}
	return words + " (" + t.Plain(status) + ")"
}
