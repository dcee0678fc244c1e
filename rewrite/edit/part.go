package edit

import (
	"bytes"
	"html"

	"github.com/varve-archive/varve/rewrite/ascii"
)

// A Part is text inside a document, decoded if the document encodes it.
type Part struct {
	Text []byte
	At   int     // where it begins in the document
	Pos  []int32 // for decoded text: the place in the document that each byte (and the end) came from; else nil
}

// DecodeAttribute decodes the character references of src[at:end], an attribute value. In attributes, one without a
// semicolon before "=", a letter or a digit is not a reference (HTML, "named character reference state").
func DecodeAttribute(src []byte, at, end int) Part {
	raw := src[at:end]
	if bytes.IndexByte(raw, '&') < 0 {
		return Part{Text: raw, At: at}
	}
	p := Part{Text: make([]byte, 0, len(raw)), At: at, Pos: make([]int32, 0, len(raw)+1)}
	for i := 0; i < len(raw); {
		var n int
		p.Text, n = appendCharacter(p.Text, raw[i:])
		for len(p.Pos) < len(p.Text) {
			p.Pos = append(p.Pos, int32(at+i))
		}
		i += n
	}
	p.Pos = append(p.Pos, int32(end))
	return p
}

// appendDecodedText decodes raw as DecodeAttribute does and appends it to dst.
func appendDecodedText(dst, raw []byte) []byte {
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		var n int
		dst, n = appendCharacter(dst, raw[i:])
		raw = raw[i+n:]
	}
	return dst
}

// appendCharacter decodes the character at the start of s and appends it; n is its length in s.
func appendCharacter(dst, s []byte) (out []byte, n int) {
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
	if text == ref || closed && len(text) > 1 && text[len(text)-1] == ';' || !closed && n > 1 && s[1] != '#' &&
		ascii.IsAlnum(text[len(text)-1]) {
		return 1, ""
	}
	return n, text
}

// Within calls f and translates the changes that it records from the part's coordinates to those of the document.
func (p Part) Within(e *List, outer Escape, f func(text []byte)) {
	m := e.Mark()
	f(p.Text)
	if p.Pos != nil {
		e.project(m, p.Pos, outer)
	} else {
		e.Shift(m, p.At, outer)
	}
}
