package pictures

import (
	"cmp"
	"strconv"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A sideView is one of two pictures that are compared.
type sideView struct {
	banner.CaptureLink
	Of             banner.CaptureLink // the capture that was pictured, of the same version
	Picture        string             // address
	Width, Height  int
	PageHeight     int // of the page, if the picture shows only its beginning; else 0
	Title          string
	Damage, Errors int
	Regions        []regionView
}

// A regionView is a rectangle that differs.
type regionView struct {
	Number      int    // in the list; equal for the same thing on both sides
	Op          string // changed, added, removed or moved
	Place, Kind string // of banner/locale, such as content and text
	X, Y, W, H  int
	Text        string // its beginning
	Words       string // diff of the texts, "" if there is none
}

// A pageView compares two captures of a page as pictures.
type pageView struct {
	layout.Page
	Older, Newer   sideView
	Distance       int // percent
	Important      bool
	List           []regionView // of both sides, each once
	Matters        *mattersView
	Film           *film.Film
	Diff           string // comparison of the texts
	Calendar       string
	Earlier, Later string // the same of the pair of versions before and after
}

// A mattersView is the form for choosing important blocks. Action is its address; it has the hidden fields.
type mattersView struct {
	Action string
	Hidden []layout.Hidden
	Blocks []blockView
}

// A blockView can be chosen. Place is of banner/locale, such as content.
type blockView struct {
	Place  string
	Chosen bool
}

// other reports whether something other than the content was chosen.
func (m *mattersView) other() bool {
	for i := range m.Blocks {
		if m.Blocks[i].Chosen != (m.Blocks[i].Place == "content") {
			return true
		}
	}
	return false
}

func placed(t *locale.Language, place string) string { return cmp.Or(t.Visual.Places[place], place) }

// verdict summarizes the difference in a sentence.
func (v *pageView) verdict(t *locale.Language) string {
	switch {
	case len(v.List) == 0 && v.Distance == 0:
		return t.Visual.Same
	case v.Matters != nil && v.Matters.other() && v.Important:
		return t.Visual.Chosen
	case v.Matters != nil && v.Matters.other():
		return t.Visual.NotChosen
	case v.Important:
		return t.Visual.Important
	}
	return t.Visual.Aside
}

// op names what happened to a region.
func (r *regionView) op(t *locale.Language) string {
	switch r.Op {
	case "added":
		return t.Visual.Added
	case "removed":
		return t.Visual.Removed
	case "moved":
		return t.Visual.Moved
	}
	return t.Visual.Changed
}

func (r *regionView) place(t *locale.Language) string {
	return t.List(placed(t, r.Place), cmp.Or(t.Visual.Kinds[r.Kind], r.Kind))
}

// notes returns remarks on a side besides its date.
func (s *sideView) notes(t *locale.Language) (out []string) {
	if s.Of.Time != s.Time {
		out = append(out, locale.Fill(t.Visual.MadeOf, t.DateTime(s.Of.Time)))
	}
	if s.Damage > 0 {
		out = append(out, banner.Damaged(t, s.Damage))
	}
	if s.Errors > 0 {
		out = append(out, t.Count(t.Visual.Errors, s.Errors))
	}
	if s.PageHeight > s.Height {
		out = append(out, locale.Fill(t.Visual.Cut, t.Number(s.Height), t.Number(s.PageHeight)))
	}
	return out
}

func (s *sideView) alt(t *locale.Language) string {
	return locale.Fill(t.Visual.Alt, t.DateTime(s.Of.Time))
}

func (s *sideView) box() string {
	return "0 0 " + strconv.Itoa(s.Width) + " " + strconv.Itoa(s.Height)
}
