package visible

import (
	"bytes"

	"github.com/tdewolff/parse/v2/html"
)

// skim returns how many bytes from offset at, where a token begins, don't matter for links: most of a page outside of links. It reads them
// like the lexer but faster, and stops at anything that isn't simple. ended says that an end tag is before at: passages end only there,
// because the end of a raw element depends on what follows.
func (r *linkReader) skim(at int, ended bool) (n int) {
	if r.open || r.lexed {
		return 0
	}
	s := skimmer{page: r.page}
	for from := at; ; {
		if ended && at >= r.rec.end {
			at = r.passage(at)
		}
		next := s.behindOther(at)
		if next == at {
			return at - from
		}
		ended = bytes.HasPrefix(r.page[at:], []byte("</"))
		at = next
	}
}

// behindOther returns the end of a token that doesn't matter for links, or at if it may matter.
func (s *skimmer) behindOther(at int) int {
	b := s.page[at:]
	if len(b) < 3 {
		return at
	}
	switch c := b[1]; {
	case b[0] != '<':
		return s.behindText(at)
	case isLetter(c):
		return s.behindTag(at)
	case c == '/' && isLetter(b[2]):
		if n := bytes.IndexByte(b, '>'); n < maxQuickName {
			return at + 1 + n // at if there is none
		}
	case c == '!' && bytes.HasPrefix(b[2:], []byte("--")):
		return at + endOfComment(b)
	}
	return at
}

// behindText returns the end of a text before a tag or a comment, or at.
func (s *skimmer) behindText(at int) int {
	n := bytes.IndexByte(s.page[at:], '<')
	if n < 0 || !beginsMarkup(s.page[at+n:]) {
		return at
	}
	return at + n
}

// beginsMarkup reports whether a "<" is more than text.
func beginsMarkup(b []byte) bool {
	return len(b) > 2 && (isLetter(b[1]) || b[1] == '!' || b[1] == '?' || b[1] == '/' && isLetter(b[2]))
}

// behindTag returns the end of a start tag, or of a script or style, or at if it matters for links or has to be lexed.
func (s *skimmer) behindTag(at int) int {
	end := s.nameEnd(at + 2)
	name, ok := s.lower(s.page[at+1 : end])
	if end == len(s.page) || !ok || tellsOfLinks(name) {
		return at
	}
	hash := html.ToHash(name)
	raw := hash == html.Script || hash == html.Style
	if !raw && (isRaw(hash) || hash == html.Svg || hash == html.Math || hash == html.Xml) {
		return at
	}
	end, c := s.attributes(end, false)
	if c == unclosed {
		return at
	}
	if raw {
		n := endOfRaw(s.page[end:], name)
		if n < 0 {
			return at
		}
		end += n
	}
	return end
}

// tellsOfLinks reports whether an element matters for links, or may hide some.
func tellsOfLinks(name []byte) bool {
	switch string(name) {
	case "a", "area", "base", "noscript", "noframes", "noembed", "template":
		return true
	}
	return false
}
