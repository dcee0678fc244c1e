package rewrite

// modes keeps track of whether the scan is in HTML or in foreign content, that is svg and math. There title, style and
// script have children like all elements (HTML, "the rules for parsing tokens in foreign content"). It is a stack of
// bits, the top lowest: 1 for an svg or math element, 0 for an element inside that contains HTML again.
type modes struct {
	bits  uint64
	depth uint8
}

func (m *modes) foreign() bool { return m.bits&1 != 0 }

func (m *modes) push(foreign uint64) {
	if m.depth < 64 { // deeper than any page: forget the outermost
		m.depth++
	}
	m.bits = m.bits<<1 | foreign
}

// pop drops the innermost bit with the value foreign, and all bits above it.
func (m *modes) pop(foreign uint64) {
	for bits, depth := m.bits, m.depth; depth > 0; bits, depth = bits>>1, depth-1 {
		if bits&1 == foreign {
			m.bits, m.depth = bits>>1, depth-1
			return
		}
	}
}

// start handles a start tag; name is in lower case.
func (m *modes) start(name string) {
	switch {
	case name == "svg" || name == "math":
		m.push(1)
	case !m.foreign():
	case integrationPoint(name):
		m.push(0)
	case breaksOut(name):
		for m.depth > 0 && m.foreign() {
			m.bits >>= 1
			m.depth--
		}
	}
}

func (m *modes) end(name string) {
	switch {
	case m.depth == 0:
	case name == "svg" || name == "math":
		m.pop(1)
	case integrationPoint(name) && !m.foreign():
		m.pop(0)
	case name == "p" || name == "br":
		m.start(name)
	}
}

// integrationPoint reports whether a foreign element contains HTML.
func integrationPoint(name string) bool {
	switch name {
	case "foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "annotation-xml":
		return true
	}
	return false
}

// breaksOut reports whether a start tag ends all foreign content around it.
func breaksOut(name string) bool {
	switch name {
	case "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed",
		"h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol",
		"p", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var":
		return true
	}
	return false
}
