package rewrite

import "bytes"

// mend changes what the lexer will read at a place, in the scratch copy and without moving anything, where
// it would take it otherwise than browsers do.
func (h *htmlScanner) mend(at int) {
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
		for n < len(s) && s[n] != '>' && s[n] != '/' && !isCSSSpace(s[n]) {
			n++
		}
		h.mendName(s, n)
	}
}

// mendMarkup ends where browsers do the comments "<!-->" and "<!--->" ("comment start state") and the
// CDATA sections that HTML doesn't have ("markup declaration open state").
func mendMarkup(s []byte) {
	switch {
	case bytes.HasPrefix(s, []byte("<!-->")), bytes.HasPrefix(s, []byte("<!--->")):
		s[2] = 'x'
	case bytes.HasPrefix(s, []byte("<![CDATA[")):
		s[2] = 'x'
	}
}

// mendName takes the tag name s[1:n]. The lexer would swallow svg, math and xml as a whole, and takes
// "<a/href=x>" for a name. In foreign content title and the like have children.
func (h *htmlScanner) mendName(s []byte, n int) {
	if n < len(s) && s[n] == '/' && n+1 < len(s) && s[n+1] != '>' {
		s[n] = ' '
	}
	if n > len("plaintext")+1 {
		return
	}
	switch name := s[1:n]; {
	case bytes.EqualFold(name, []byte("svg")), bytes.EqualFold(name, []byte("math")), bytes.EqualFold(name, []byte("xml")):
		s[n-1] = maskedEnd
	case h.at.foreign > 0 && rawTextElement(bytes.ToLower(name)) != "":
		if c := s[1] | 0x20; c != 's' || selfClosed(s[n:]) {
			s[1] = maskedStart
		}
	}
}

// The letters that stand in the scratch copy for the last of svg, math and xml, and for the first of the
// raw text elements; no element of these names is known.
const (
	maskedEnd   = 'q'
	maskedStart = 'q'
)

// unmask gives the tag its name back and keeps count of foreign elements.
func (h *htmlScanner) unmask(t *tag, void bool) {
	switch string(t.name) {
	case "svq", "matq", "xmq":
		copy(t.name, bytes.ToLower(h.src[t.start+1:t.start+1+len(t.name)]))
		if !void && t.name[0] != 'x' {
			h.at.foreign++
		}
	default:
		if t.name[0] == maskedStart {
			t.name[0] = h.src[t.start+1] | 0x20
		}
		h.at.svgStyle = h.at.foreign > 0 && !void && string(t.name) == "style"
	}
}

// selfClosed reports whether the tag that goes on with s ends in "/>".
func selfClosed(s []byte) bool {
	end := bytes.IndexByte(s, '>')
	return end > 0 && s[end-1] == '/'
}

// endTag takes an end tag.
func (h *htmlScanner) endTag(start int) {
	name := h.lex.Text()
	if i := bytes.IndexAny(name, " \t\n\r\f/"); i >= 0 {
		name = name[:i]
	}
	h.at.svgStyle = false
	switch string(name) { // the lexer made it lower case
	case "svg", "math":
		h.at.foreign = max(0, h.at.foreign-1)
	case "noscript", "template":
		h.at.hidden = max(0, h.at.hidden-1)
	case "body", "html":
		if h.at.html {
			h.insertBanner(start)
		}
	}
}
