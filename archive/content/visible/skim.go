package visible

import (
	"bytes"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"
)

// A skimmer reads text, start tags with quoted attributes, end tags, comments, scripts and styles: nearly all of a page. It reads these
// like the lexer but several times as fast, and leaves the rest to the lexer.
type skimmer struct {
	e    *Extractor
	page []byte
	name [maxQuickName]byte // in lower case
}

// maxQuickName is longer than any name with a meaning here; the lexer reads longer ones.
const maxQuickName = 32

// lower returns a name in lower case, valid until the next call, or false if the name is too long.
func (s *skimmer) lower(name []byte) ([]byte, bool) {
	if len(name) > len(s.name) {
		return nil, false
	}
	return parse.ToLower(s.name[:copy(s.name[:], name)]), true
}

// skim reads from offset at, where a token begins. It returns where the lexer has to continue.
func (s *skimmer) skim(at int) int {
	for {
		next := s.token(at)
		if next == at {
			return at
		}
		at = next
	}
}

// token reads one token and returns where the next begins, or at if the token has to be lexed.
func (s *skimmer) token(at int) int {
	b := s.page[at:]
	if len(b) < 3 {
		return at
	}
	switch c := b[1]; {
	case b[0] != '<':
		return s.text(at)
	case isLetter(c):
		return s.startTag(at)
	case c == '/' && isLetter(b[2]):
		return s.endTag(at)
	case c == '!' && bytes.HasPrefix(b[2:], []byte("--")):
		return at + endOfComment(b)
	case c == '!' && b[2] != '[', c == '?': // a doctype, or what browsers treat as a comment
		return at + 1 + bytes.IndexByte(b, '>')
	}
	return at
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// text reads up to a tag or a comment; a "<" that begins neither is text too.
func (s *skimmer) text(at int) int {
	n := bytes.IndexByte(s.page[at:], '<')
	if n < 0 {
		return at
	}
	if !beginsMarkup(s.page[at+n:]) {
		return at
	}
	if s.e.hiding == 0 {
		s.e.text(s.page[at:at+n], true)
	}
	return at + n
}

// endOfComment returns the length of the comment that b begins with, or 0 if it does not end.
func endOfComment(b []byte) int {
	const start = len("<!--")
	for at := start; ; at++ {
		n := bytes.Index(b[at:], []byte("--"))
		if n < 0 {
			return 0
		}
		at += n
		switch rest := b[at+2:]; {
		case len(rest) > 0 && rest[0] == '>':
			return at + 3
		case len(rest) > 1 && rest[0] == '!' && rest[1] == '>':
			return at + 4
		}
	}
}

func (s *skimmer) endTag(at int) int {
	n := bytes.IndexByte(s.page[at:], '>')
	if n < 0 {
		return at
	}
	end := at + n
	for isBlank[s.page[end-1]] {
		end--
	}
	name, ok := s.lower(s.page[at+2 : end])
	if !ok {
		return at
	}
	s.e.endTag(name)
	return s.e.passage(s.page, at+n+1)
}

// startTag reads a start tag, and the content of a raw element.
func (s *skimmer) startTag(at int) int {
	raw := s.shortTag(at)
	known := s.e.tags.get(raw)
	if known == nil || s.e.hiding > 0 {
		return s.newTag(at, raw)
	}
	s.e.pending = known.tag
	end := at + len(raw)
	return end + s.e.startTagEnd(known.void, s.page[end:])
}

// newTag is startTag for a tag that the cache does not know; raw is its bytes if they are few.
func (s *skimmer) newTag(at int, raw []byte) int {
	end := s.nameEnd(at + 2)
	name, ok := s.lower(s.page[at+1 : end])
	if end == len(s.page) || !ok {
		return at
	}
	switch hash := html.ToHash(name); {
	case hash == html.Script, hash == html.Style, hash == html.Title:
		return s.raw(at, end, name)
	case isRaw(hash), hash == html.Svg, hash == html.Math, hash == html.Xml:
		return at
	}
	s.e.startTag(name)
	end, c := s.attributes(end, s.e.wanted())
	if c != unclosed {
		if end == at+len(raw) && s.e.hiding == 0 && s.e.pending.kind != shown {
			s.e.tags.put(raw, knownTag{tag: s.e.pending, void: c == void})
		}
		end += s.e.startTagEnd(c == void, s.page[end:])
	}
	return end
}

// wanted reports whether the attributes of the current tag matter.
func (e *Extractor) wanted() bool {
	return e.hiding == 0 && (e.pending.kind == block || e.pending.kind == shown)
}

// raw reads a script, a style or a title.
func (s *skimmer) raw(at, nameEnd int, name []byte) int {
	end, c := s.attributes(nameEnd, false)
	if c == unclosed {
		return at
	}
	n := endOfRaw(s.page[end:], name)
	if n < 0 {
		return at
	}
	s.e.startTag(name)
	if s.e.wanted() {
		s.attributes(nameEnd, true)
	}
	s.e.startTagEnd(c == void, s.page[end:])
	s.e.textToken(s.page[end : end+n])
	return end + n
}

// isRaw reports whether an element contains no mark-up.
func isRaw(name html.Hash) bool {
	switch name {
	case html.Script, html.Style, html.Textarea, html.Title, html.Xmp, html.Iframe, html.Plaintext:
		return true
	}
	return false
}

// endOfRaw returns where in b the end tag begins. It returns -1 if there is none or if a script contains a comment
// (HTML §13.2.5.20).
func endOfRaw(b, name []byte) int {
	for at := 0; ; at++ {
		n := bytes.IndexByte(b[at:], '<')
		if n < 0 {
			return -1
		}
		at += n
		switch rest := b[at+1:]; {
		case bytes.HasPrefix(rest, []byte("!--")) && string(name) == "script":
			return -1
		case len(rest) > len(name) && rest[0] == '/' && bytes.EqualFold(rest[1:1+len(name)], name) &&
			(len(rest) == 1+len(name) || !isLetter(rest[1+len(name)])):
			return at
		}
	}
}

// beginsMarkup reports whether a "<" is more than text.
func beginsMarkup(b []byte) bool {
	return len(b) > 2 && (isLetter(b[1]) || b[1] == '!' || b[1] == '?' || b[1] == '/' && isLetter(b[2]))
}
