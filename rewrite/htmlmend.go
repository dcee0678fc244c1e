package rewrite

import (
	"bytes"

	"github.com/varve-archive/varve/rewrite/ascii"
)

// mend changes the scratch copy at a place that the lexer would read differently from browsers. It doesn't move anything.
func (h *htmlScanner) mend(at int, last bool) {
	s := h.scratch[at:len(h.src)]
	if len(s) < 3 || s[0] != '<' {
		return
	}
	c := s[1] | 0x20
	switch {
	case s[1] == '!':
		mendMarkup(s)
	case 'a' <= c && c <= 'z':
		n := 1
		for n < len(s) && s[n] != '>' && s[n] != '/' && !ascii.IsSpace(s[n]) {
			n++
		}
		h.mendName(s, n, last)
	}
}

// mendMarkup ends the comments "<!-->" and "<!--->" ("comment start state"), and CDATA sections in HTML ("markup declaration open
// state"), where browsers end them. Foreign content does have CDATA sections; there this affects only style and script: see
// plainText.
func mendMarkup(s []byte) {
	if bytes.HasPrefix(s, []byte("<!-->")) || bytes.HasPrefix(s, []byte("<!--->")) || bytes.HasPrefix(s, []byte("<![CDATA[")) {
		s[2] = 'x'
	}
}

// mendAttribute turns a "=" at the start of an attribute into a name ("before attribute name state").
func (h *htmlScanner) mendAttribute(at int) {
	s := h.scratch[at:len(h.src)]
	for i, c := range s {
		if c == '=' {
			s[i] = 'x'
		}
		if c != '/' && !ascii.IsSpace(c) {
			return
		}
	}
}

// mendName mends the tag name s[1:n]. The lexer would swallow svg, math and xml as a whole, and would read "<a/href=x>"
// as a name. In foreign content title and the like have children.
func (h *htmlScanner) mendName(s []byte, n int, last bool) {
	if n < len(s) && s[n] == '/' && n+1 < len(s) && s[n+1] != '>' {
		s[n] = ' '
	}
	if n > len("plaintext")+1 {
		return
	}
	switch name := s[1:n]; {
	case bytes.EqualFold(name, []byte("svg")), bytes.EqualFold(name, []byte("math")), bytes.EqualFold(name, []byte("xml")):
		s[n-1] = maskByte
	case h.at.modes.foreign() && rawTextElement(bytes.ToLower(name)) != "":
		if c := s[1] | 0x20; c != 's' || selfClosed(s[n:]) || !h.plainText(s[n:], name, last) {
			s[1] = maskByte
		}
	}
}

// maskByte replaces, in the scratch copy, the last letter of svg, math and xml, and the first one of raw text elements.
// No known element has such a name.
const maskByte = 'q'

// unmask restores the name of a tag and keeps track of foreign elements.
func (h *htmlScanner) unmask(t *tag, void bool) {
	switch string(t.name) {
	case "svq", "matq", "xmq":
		copy(t.name, bytes.ToLower(h.src[t.start+1:t.start+1+len(t.name)]))
	default:
		if len(t.name) > 0 && t.name[0] == maskByte {
			t.name[0] = h.src[t.start+1] | 0x20
		}
	}
	if !void {
		h.at.modes.start(string(t.name))
	}
}

// selfClosed reports whether the tag that continues with s ends in "/>".
func selfClosed(s []byte) bool {
	end := bytes.IndexByte(s, '>')
	return end > 0 && s[end-1] == '/'
}

// plainText reports whether the style or script element whose tag continues with s contains only text, perhaps in a CDATA section,
// so that it can be read as an HTML element. It also returns true if s ends too early to tell: then the lexer takes the element's
// text to the end, and the scan comes back with more.
func (h *htmlScanner) plainText(s, name []byte, last bool) bool {
	i := bytes.IndexByte(s, '>')
	if i < 0 {
		return true
	}
	s = s[i:]
	if i = bytes.IndexByte(s, '<'); i >= 0 && bytes.HasPrefix(s[i:], []byte("<![CDATA[")) {
		end := h.nextSectionEnd(len(h.src) - len(s) + i)
		if end == len(h.src) { // in a section without an end browsers read what follows, too
			return true
		}
		s = s[end-(len(h.src)-len(s)):]
		i = bytes.IndexByte(s, '<')
	}
	if !last && (i < 0 || len(s) < i+len("<![CDATA[")) {
		return true
	}
	return i >= 0 && len(s) >= i+len("</")+len(name) && s[i+1] == '/' && bytes.EqualFold(s[i+2:i+2+len(name)], name)
}

// nextSectionEnd returns the offset of the next "]]>", or the end of the source. It remembers the offset, so that a page with many
// unclosed sections isn't searched for each of them.
func (h *htmlScanner) nextSectionEnd(from int) int {
	if from > h.sectionEnd {
		h.sectionEnd = len(h.src)
		if n := bytes.Index(h.src[from:], []byte("]]>")); n >= 0 {
			h.sectionEnd = from + n
		}
	}
	return h.sectionEnd
}

func (h *htmlScanner) endTag(start int) {
	name := h.lex.Text() // made lower case by the lexer
	if i := bytes.IndexAny(name, " \t\n\r\f/"); i >= 0 {
		name = name[:i]
	}
	h.at.modes.end(string(name))
	switch name := string(name); {
	case hides(name):
		h.at.hidden = max(0, h.at.hidden-1)
	case h.at.html && h.at.hidden == 0 && (name == "body" || name == "html"):
		h.insertBanner(start)
	}
}
