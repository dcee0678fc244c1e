package change

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A Level says which differences make a new version.
type Level uint8

// The levels, each finer than the next; but visual is finer than content.
const (
	LevelAny     Level = iota // the payload digest differs
	LevelText                 // the visible text differs
	LevelContent              // the main content differs: furniture, volatile blocks and mark-up are ignored
	LevelVisual               // the main content or the picture of the page differs
)

// String returns the level's name in URLs and JSON.
func (l Level) String() string { return [...]string{"any", "text", "content", "visual"}[l] }

// ParseLevel reads a level's name; "" is content.
func ParseLevel(s string) (Level, error) {
	if s == "" {
		return LevelContent, nil
	}
	for l := range LevelVisual + 1 {
		if s == l.String() {
			return l, nil
		}
	}
	return 0, fmt.Errorf("level %.20q: want any, text, content or visual", s)
}

// A Kind is what a run of captures shows.
type Kind uint8

const (
	Page     Kind = iota // a page with text
	Resource             // anything else that was there
	Redirect
	Missing // 404, 410, or a soft 404
	Error   // failed captures and other refusals
)

// String returns the kind's name in JSON.
func (k Kind) String() string {
	return [...]string{"page", "resource", "redirect", "missing", "error"}[k]
}

// Shown reports whether something was there: a page, or another resource.
func (k Kind) Shown() bool { return k == Page || k == Resource }

// A State is what the index knows about one capture. A resolved revisit has the values of its original.
type State struct {
	Time     cdx.Timestamp
	Status   int
	Digest   string // of the payload, in one form if the index knows several
	Redirect string // absolute target of a 3xx
	Text     uint64 // ID of its [Sketch], 0 where there is no text
	Failed   bool   // a 5xx, a 429 or a truncated capture
	ToSelf   bool   // a redirect to the same URI-R: http to https, another case, a slash
	Data     bool   // an answer for programs, in JSON
	Beside   bool   // the URI-M of its second shows another capture
}

// StateOf returns the state of a capture.
func StateOf(c *cdx.Capture) State {
	s := State{
		Time: c.Time, Status: c.Status, Digest: cmp.Or(c.Payload, c.Digest), Redirect: c.Redirect, Text: c.Text,
		Failed: c.Failed(), Data: c.MIME == "application/json" || strings.HasSuffix(c.MIME, "+json"),
	}
	s.ToSelf = s.kind() == Redirect && surt.Of(c.Redirect) == c.Key
	return s
}

// isNoPage reports whether the capture can't show a page: it has no content, or is data for programs.
func (s *State) isNoPage() bool { return s.Status == http.StatusNoContent || s.Data }

// passing reports whether the capture says nothing about what the URI-R showed: it failed, it refers to another one, or no URI-M shows it.
func (s *State) passing() bool { return s.Failed || s.refers() || s.Beside }

// refers reports whether the capture only refers to another one of the URI-R: it redirects to the same URI-R, or is a 304.
func (s *State) refers() bool { return s.ToSelf || s.Status == http.StatusNotModified }

// unseen reports whether no reader saw the page in the capture, whatever its text is.
func (s *State) unseen() bool { return s.Failed || s.Beside }

// kind returns the capture's kind by its status. Texts are ignored, since a soft 404 is recognized only beside other captures.
func (s *State) kind() Kind {
	switch {
	case s.Status >= 300 && s.Status <= 399 && s.Status != 304:
		return Redirect
	case s.Status == 404 || s.Status == 410:
		return Missing
	case s.Failed || s.Status >= 400:
		return Error
	case s.Text != 0:
		return Page
	}
	return Resource
}

// SumOf returns a checksum of what a site knows that matters at a level. Sites with equal sums judge every page alike.
func SumOf(level Level, s *site.Site) uint64 {
	if level == LevelAny {
		return 0
	}
	return s.Sum(level == LevelContent)
}
