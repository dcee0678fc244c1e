package banner

import (
	_ "embed"
	"encoding/json"
	"strings"
	"time"

	"github.com/varve-archive/varve/banner/text"
)

// An AnimationStep is one change of an animation, for the script that plays it in the page. At counts the characters
// of the body that stand before it, in UTF-16 code units and without white space.
type AnimationStep struct {
	At       int    `json:"at"`
	Deleted  string `json:"deleted"`
	Inserted string `json:"inserted"`
	Before   string `json:"before"` // what stands around it
	After    string `json:"after"`
	Title    bool   `json:"title"`   // in the title of the page, not in the page
	Block    bool   `json:"block"`   // what is inserted is a paragraph, an item, a heading of its own
	Heading  uint8  `json:"heading"` // 1 to 6, else 0
}

// An AnimationView is the bar over an archived page whose text changes into that of a newer capture.
type AnimationView struct {
	Lang          string // from text.Choose
	Home          string // the server's home page
	URIR          string
	Before, After CaptureLink
	Diff          string // the same change in words
	Steps         []AnimationStep
	Total         int    // how many changes there are; more than Steps where they are too many
	Term          string // what the reader looks for: Steps has only the changes in which it goes or comes; "" for nothing
	All           string // the animation of all changes, where there is a Term
	Drift         time.Duration
}

// A NoAnimationView is the page in place of an animation that can't be.
type NoAnimationView struct {
	Page
	Older, Newer DiffSide
	Why          WhyNot
	Diff         string
}

// A WhyNot is the reason why a change can't be played.
type WhyNot uint8

// The reasons.
const (
	NoPageToPlay WhyNot = iota // the older page can't be played in
	NotBothPages               // one of the two is an error or a redirect
	NoTextToPlay               // one of the two has no text
)

//go:embed animation.css
var animationCSS string

var animationStyle = "<style>" + strings.ReplaceAll(animationCSS, "\n", "") + "</style>"

// steps is what the script plays.
func (v *AnimationView) steps() string {
	b, err := json.Marshal(v.Steps)
	if err != nil || v.Steps == nil {
		return "[]"
	}
	return string(b)
}

// forAnimation is what the script says, in the order in which it takes it.
func (t texts) forAnimation(v *AnimationView) string {
	return strings.Join([]string{
		t.ChangeNo, t.Count(t.Changes, len(v.Steps)), text.Fill(t.AnimEnd, t.DateTime(v.After.Time)), t.Play, t.Pause,
		t.NotPlaced, t.NotSeen, t.InTitle, t.Goes, t.Comes,
	}, "|")
}

// animationSays is the bar's first sentence.
func (t texts) animationSays(v *AnimationView) string {
	switch {
	case len(v.Steps) > 0:
		return text.Fill(t.AnimStart, t.DateTime(v.Before.Time))
	case v.Term != "":
		return text.Fill(t.NoneOf, v.Term)
	}
	return t.NothingChanged
}
