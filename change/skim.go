package change

import (
	"bytes"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"
)

// Nearly all of a page is text, start tags with quoted attributes, end tags, comments, scripts and styles. A skimmer
// reads those at several times the lexer's speed and leaves the rest to it; what it reads, it reads as the lexer does.
type skimmer struct {
	e    *Extractor
	page []byte // lexed in place: names become lower case
	body []byte // the same as it was
}

// skim reads on from offset at, where a token begins, and returns where the lexer has to go on.
func (s *skimmer) skim(at int) int {
	for {
		next := s.token(at)
		if next == at {
			return at
		}
		at = next
	}
}

// token reads one token and returns where the next begins; at where it is the lexer's.
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
	}
	return at
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// text reads up to a tag or a comment; "<" alone is text too.
func (s *skimmer) text(at int) int {
	n := bytes.IndexByte(s.page[at:], '<')
	if n < 0 {
		return at
	}
	switch b := s.page[at+n:]; {
	case len(b) < 3, !isLetter(b[1]) && b[1] != '!' && (b[1] != '/' || !isLetter(b[2])):
		return at
	}
	if s.e.hiding == 0 {
		s.e.text(s.page[at:at+n], true)
	}
	return at + n
}

// endOfComment returns the length of the comment that b begins with, 0 where it doesn't end.
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
	s.e.endTag(parse.ToLower(bytes.TrimRight(s.page[at+2:at+n], " \t\r\n")))
	return s.e.passage(s.body, at+n+1)
}

// startTag reads a start tag, of a script or style what it contains too.
func (s *skimmer) startTag(at int) int {
	end := s.nameEnd(at + 2)
	if end == len(s.page) {
		return at
	}
	name := parse.ToLower(s.page[at+1 : end])
	switch hash := html.ToHash(name); {
	case hash == html.Script, hash == html.Style:
		return s.raw(at, end, name)
	case isRaw(hash), hash == html.Svg, hash == html.Math, hash == html.Xml:
		return at
	}
	s.e.startTag(name)
	end, c := s.attributes(end, s.e.hiding == 0 && s.e.pending.kind == block)
	if c != unclosed {
		s.e.startTagEnd(c == void, s.body[end:])
	}
	return end
}

// isRaw reports whether an element contains no mark-up.
func isRaw(name html.Hash) bool {
	switch name {
	case html.Script, html.Style, html.Textarea, html.Title, html.Xmp, html.Iframe, html.Plaintext:
		return true
	}
	return false
}

// raw reads a script or style, all of which is hidden.
func (s *skimmer) raw(at, end int, name []byte) int {
	end, c := s.attributes(end, false)
	if c == unclosed {
		return at
	}
	n := endOfRaw(s.page[end:], name)
	if n < 0 {
		return at
	}
	s.e.startTag(name)
	s.e.startTagEnd(c == void, s.body[end:])
	return end + n
}

// endOfRaw returns where in b the end tag begins, -1 where there is none or a script has a comment (HTML §13.2.5.20).
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

// A closing is how a start tag ends.
type closing uint8

const (
	unclosed closing = iota // with the page
	closed
	void
)

// attributes reads the attributes of a tag from offset at, hands them on if they are wanted, and returns where the tag ends.
func (s *skimmer) attributes(at int, wanted bool) (end int, c closing) {
	p := s.page
	for {
		at = skipBlank(p, at)
		switch {
		case at == len(p):
			return at, unclosed
		case p[at] == '>':
			return at + 1, closed
		case p[at] == '/' && at+1 < len(p) && p[at+1] == '>':
			return at + 2, void
		}
		start, nameEnd := at, s.attributeNameEnd(at)
		var val []byte
		if at = skipBlank(p, nameEnd); at < len(p) && p[at] == '=' {
			from := skipBlank(p, at+1)
			at = valueEnd(p, from)
			val = p[from:at]
		} else {
			at = nameEnd
		}
		if wanted {
			s.e.attribute(parse.ToLower(p[start:nameEnd]), val)
		}
	}
}

// nameEnd returns where the name of a tag ends. A slash is part of it but before ">".
func (s *skimmer) nameEnd(at int) int {
	for at < len(s.page) && (!endsName[s.page[at]] || s.page[at] == '/' && (at+1 == len(s.page) || s.page[at+1] != '>')) {
		at++
	}
	return at
}

// attributeNameEnd is nameEnd for an attribute, which ends before "=" too.
func (s *skimmer) attributeNameEnd(at int) int {
	end := s.nameEnd(at)
	if n := bytes.IndexByte(s.page[at:end], '='); n >= 0 {
		return at + n
	}
	return end
}

// valueEnd returns where the value that begins at offset at ends, quotes included.
func valueEnd(p []byte, at int) int {
	if at < len(p) && (p[at] == '"' || p[at] == '\'') {
		if n := bytes.IndexByte(p[at+1:], p[at]); n >= 0 {
			return at + n + 2
		}
		return len(p)
	}
	for at < len(p) && p[at] != '>' && !isBlank[p[at]] {
		at++
	}
	return at
}

func skipBlank(p []byte, at int) int {
	for at < len(p) && isBlank[p[at]] {
		at++
	}
	return at
}

var (
	isBlank = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, '\f': true}
	// endsName marks what may end a name.
	endsName = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, '\f': true, '>': true, '/': true}
)
