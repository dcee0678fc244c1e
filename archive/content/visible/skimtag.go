package visible

import "bytes"

// A closing says how a start tag ends.
type closing uint8

const (
	unclosed closing = iota // only the page ends
	closed
	void
)

// attributes reads the attributes of a tag from offset at, passes them on if wanted, and returns where the tag ends.
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
		if !wanted {
			continue
		}
		if name, ok := s.lower(p[start:nameEnd]); ok {
			s.e.attribute(name, val)
		}
	}
}

// nameEnd returns where the name of a tag ends. A slash is part of it unless ">" follows.
func (s *skimmer) nameEnd(at int) int {
	for at < len(s.page) && (!endsName[s.page[at]] || s.page[at] == '/' && (at+1 == len(s.page) || s.page[at+1] != '>')) {
		at++
	}
	return at
}

// attributeNameEnd is nameEnd for an attribute, which "=" ends too.
func (s *skimmer) attributeNameEnd(at int) int {
	for p := s.page; at < len(p) && p[at] != '=' && (!endsName[p[at]] || p[at] == '/' && (at+1 == len(p) || p[at+1] != '>')); {
		at++
	}
	return at
}

// valueEnd returns where the value that begins at offset at ends, including quotes.
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
	// endsName marks the bytes that may end a name.
	endsName = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, '\f': true, '>': true, '/': true}
)
