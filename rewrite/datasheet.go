package rewrite

import (
	"bytes"
	"mime"
	"strings"
)

// dataSheet handles a style sheet that is written as a data: URL, if text is one and not in base64. Nothing is relative to it.
func dataSheet(text []byte, e *edits) {
	comma := bytes.IndexByte(text, ',')
	if comma < len("data:") || !bytes.EqualFold(text[:len("data:")], []byte("data:")) {
		return
	}
	if kind, _, err := mime.ParseMediaType(string(text[len("data:"):comma])); err != nil || kind != "text/css" ||
		strings.HasSuffix(strings.ToLower(string(text[:comma])), "base64") {
		return
	}
	decodePercent(text, comma+1).within(e, inData, func(sheet []byte) {
		c := cssScanner{base: newBase("", nil), inData: true}
		c.scan(sheet, true, e)
	})
}

// decodePercent decodes text from a position on, as the body of a data: URL.
func decodePercent(text []byte, at int) part {
	p := part{at: at}
	for i := at; i < len(text); {
		c, n := text[i], 1
		if c == '%' && i+2 < len(text) && unhex(text[i+1]) >= 0 && unhex(text[i+2]) >= 0 {
			c, n = byte(unhex(text[i+1])<<4|unhex(text[i+2])), 3
		}
		p.text, p.pos = append(p.text, c), append(p.pos, int32(i))
		i += n
	}
	p.pos = append(p.pos, int32(len(text)))
	return p
}

// unhex returns the value of a digit in base 16, -1 for any other byte.
func unhex(c byte) int {
	n := strings.IndexByte("0123456789abcdefABCDEF", c)
	if n > 15 {
		n -= 6
	}
	return n
}
