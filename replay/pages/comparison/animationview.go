package comparison

import (
	_ "embed"
	"encoding/json"
	"strings"
	"time"

	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A playedStep is one change of an animation, for the script that plays it in the page. At is the number of
// characters of the body before it, in UTF-16 code units and without white space.
type playedStep struct {
	At       int    `json:"at"`
	Deleted  string `json:"deleted"`
	Inserted string `json:"inserted"`
	Before   string `json:"before"` // the text around it
	After    string `json:"after"`
	Title    bool   `json:"title"`         // in the title of the page, not in the page
	Block    bool   `json:"block"`         // what is inserted is a paragraph, an item or a heading by itself
	Heading  uint8  `json:"heading"`       // 1 to 6, else 0
	Row      int    `json:"row,omitempty"` // numbers of the inserted table row and of the cell that the block is in, else 0
	Cell     int    `json:"cell,omitempty"`
}

// An AnimationView is the bar over an archived page whose text changes into that of a newer capture.
type AnimationView struct {
	Lang          string // from locale.Choose
	Home          string // the server's home page
	URIR          string
	Before, After DiffSide
	Diff          string // the same change in words
	Steps         []playedStep
	Total         int    // number of changes; larger than len(Steps) if there are too many
	Term          string // what the reader looks for: Steps has only the changes that delete or add it; "" for nothing
	All           string // the animation of all changes, if there is a Term
	Drift         time.Duration
}

// A NoAnimationView is the page shown in place of an animation that can't be played.
type NoAnimationView struct {
	layout.Page
	Older, Newer DiffSide
	Why          whyNot
	Diff         string
}

// A whyNot is the reason why a change can't be played.
type whyNot uint8

const (
	NoPageToPlay whyNot = iota // the older page can't play it
	NotBothPages               // one of the two is an error or a redirect
	NoTextToPlay               // one of the two has no text
)

//go:embed animation.css
var animationCSS string

// steps returns the steps as JSON for the script.
func (v *AnimationView) steps() string {
	b, err := json.Marshal(v.Steps)
	if err != nil || v.Steps == nil {
		return "[]"
	}
	return string(b)
}

// phrases returns the script's phrases, in the order in which it reads them.
func (v *AnimationView) phrases(t texts) string {
	return strings.Join([]string{
		t.ChangeNo, t.Count(t.Changes, len(v.Steps)), locale.Fill(t.AnimEnd, t.DateTime(v.After.Time)), t.Play, t.Pause,
		t.NotPlaced, t.NotSeen, t.InTitle, t.Goes, t.Comes,
	}, "|")
}

// says returns the first sentence of the bar.
func (v *AnimationView) says(t texts) string {
	switch {
	case len(v.Steps) > 0:
		return locale.Fill(t.AnimStart, t.DateTime(v.Before.Time))
	case v.Term != "":
		return locale.Fill(t.NoneOf, v.Term)
	}
	return t.NothingChanged
}
