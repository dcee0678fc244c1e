package visible

import (
	"bytes"

	"github.com/tdewolff/parse/v2/html"
)

// skim returns how many bytes from offset at, where a token begins, tell nothing of links: most of a page that is outside of
// links. It reads them as the lexer does but faster, and leaves to it what is not simple. ended says that an end tag is before
// at. Only there a passage may end: where an element without mark-up ends depends on what follows.
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

// behindOther returns where a token ends that tells nothing of links, or at if it may.
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

// behindText returns where a text ends before a tag or a comment, else at.
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

// behindTag returns where a start tag ends, or a script or style with its content, or at if it tells of links or has to be
// lexed.
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

// tellsOfLinks reports whether an element matters to those who read links, or hides what does.
func tellsOfLinks(name []byte) bool {
	switch string(name) {
	case "a", "area", "base", "noscript", "noframes", "noembed", "template":
		return true
	}
	return false
}
