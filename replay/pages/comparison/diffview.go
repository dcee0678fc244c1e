package comparison

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A TermCount says how often a word or phrase occurs in the older and in the newer text.
type TermCount struct {
	Text   string `json:"phrase"`
	Before int    `json:"before"`
	After  int    `json:"after"`
}

// A DiffRow is one text block on both sides, or the cells of a table row. If Skipped > 0, the row has no text and
// stands for that many equal blocks that are left out.
type DiffRow struct {
	Cells   []DiffCell
	Heading bool
	Depth   int  // number of lists around it
	Bullet  bool // it begins a list item
	Skipped int
}

// A DiffCell is a text block on both sides; a nil side does not have it.
type DiffCell struct{ Before, After []layout.Span }

// Join adds another block below this one.
func (c *DiffCell) Join(o DiffCell) {
	c.Before, c.After = below(c.Before, o.Before), below(c.After, o.After)
}

func below(a, b []layout.Span) []layout.Span {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...)
	}
	return append(append(a, layout.Span{Text: "\n"}), b...)
}

// A DiffSide is one of the two captures that are compared.
type DiffSide struct {
	banner.CaptureLink
	Title string
	Note  layout.VersionNote // of its version
}

// A DiffView is the page that compares two captures of a URI-R.
type DiffView struct {
	layout.Page
	Difference
	Older, Newer   DiffSide
	Earlier, Later string // diffs of the neighbouring pairs of versions
	Terms          []TermCount
	Calendar       string
	Slider         string // all versions on a slider
	Watch          string // the change as an animation
	Visual         string // the change as pictures
}

// A Difference is the difference between two texts. Its counts are those of its rows.
type Difference struct {
	Added, Deleted, Moved int // words
	Similarity            layout.Similarity
	Rows                  []DiffRow // empty: the texts are equal
	NoText                bool      // one of the two has no text
	Pictures              []pictureRow
}

// A pictureRow is a replaced picture or film, before and after.
type pictureRow struct{ Before, After pictureView }

// A pictureView is a picture, or a film whose player is in a frame.
type pictureView struct {
	URIM, URIR string
	Film       bool
}
