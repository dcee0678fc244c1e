package rewrite

import (
	"bytes"
	"html"

	"github.com/varve-archive/varve/rewrite/ascii"
)

// A part is text inside a document, decoded if the document encodes it.
type part struct {
	text []byte
	at   int     // where it begins in the document
	pos  []int32 // for decoded text: the place in the document that each byte (and the end) came from; else nil
}

// decodeAttr decodes the character references of src[at:end], an attribute value. In attributes, one without a
// semicolon before "=", a letter or a digit is not a reference (HTML, "named character reference state").
func decodeAttr(src []byte, at, end int) part {
	raw := src[at:end]
	if bytes.IndexByte(raw, '&') < 0 {
		return part{text: raw, at: at}
	}
	p := part{text: make([]byte, 0, len(raw)), at: at, pos: make([]int32, 0, len(raw)+1)}
	for i := 0; i < len(raw); {
		var n int
		p.text, n = appendDecoded(p.text, raw[i:])
		for len(p.pos) < len(p.text) {
			p.pos = append(p.pos, int32(at+i))
		}
		i += n
	}
	p.pos = append(p.pos, int32(end))
	return p
}

// appendText decodes raw as decodeAttr does and appends it to dst.
func appendText(dst, raw []byte) []byte {
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		var n int
		dst, n = appendDecoded(dst, raw[i:])
		raw = raw[i+n:]
	}
	return dst
}

// appendDecoded decodes the character at the start of s and appends it; n is its length in s.
func appendDecoded(dst, s []byte) (out []byte, n int) {
	switch {
	case s[0] != '&':
	case bytes.HasPrefix(s, []byte("&amp;")):
		return append(dst, '&'), len("&amp;")
	default:
		if n, decoded := attrReference(s); decoded != "" {
			return append(dst, decoded...), n
		}
	}
	return append(dst, s[0]), 1
}

// maxReference is longer than the name of any character reference.
const maxReference = 40

// attrReference decodes the character reference at the start of s; n is its length. decoded is "" if there is none.
func attrReference(s []byte) (n int, decoded string) {
	n = 1
	if n < len(s) && s[n] == '#' {
		n++
	}
	for n < len(s) && n < maxReference && ascii.IsAlnum(s[n]) {
		n++
	}
	closed := n < len(s) && s[n] == ';'
	if closed {
		n++
	} else if n < len(s) && s[n] == '=' && s[1] != '#' {
		return 1, ""
	}
	ref := string(s[:n])
	text := html.UnescapeString(ref)
	// The library also accepts the longest known name at the beginning, which does not count in attributes.
	if text == ref || closed && len(text) > 1 && text[len(text)-1] == ';' || !closed && n > 1 && s[1] != '#' && ascii.IsAlnum(text[len(text)-1]) {
		return 1, ""
	}
	return n, text
}

// within calls f and moves the edits that it makes, which are in the part's coordinates, to those of the document.
func (p part) within(e *edits, outer escape, f func(text []byte)) {
	m := e.mark()
	f(p.text)
	if p.pos != nil {
		e.project(m, p.pos, outer)
	} else {
		e.shift(m, p.at, outer)
	}
}
