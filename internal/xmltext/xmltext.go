// Package xmltext reads the encoding that XML declares, and makes XML readable that single characters keep from being well-formed.
package xmltext

import (
	"bytes"
	"regexp"
	"unicode/utf8"
)

// declaration matches an XML declaration with an encoding.
var declaration = regexp.MustCompile(`^[ \t\r\n]*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']`)

// maxDeclaration is the number of bytes in which an XML declaration ends.
const maxDeclaration = 1 << 10

// Encoding returns the encoding that the XML declaration of a text names, "" if it names none.
func Encoding(text []byte) string {
	if m := declaration.FindSubmatch(text[:min(len(text), maxDeclaration)]); m != nil {
		return string(m[1])
	}
	return ""
}

// forbidden matches references to characters that XML forbids.
var forbidden = regexp.MustCompile(`(?i)&#(?:x0*(?:[0-8bcef]|1[0-9a-f]|d[89a-f]..|fff[ef])|0*(?:[0-8]|1[124-9]|2[0-9]|3[01]));`)

// Legal returns a text in UTF-8 without characters that XML forbids (XML 1.0 §2.2), so that one in a title doesn't hide what follows. A
// text in another charset is returned as it is, and so are the escapes of ISO-2022.
func Legal(text []byte) []byte {
	if !utf8.Valid(text) {
		return text
	}
	text = forbidden.ReplaceAll(text, nil)
	if bytes.ContainsFunc(text, isForbidden) && !bytes.Contains(text, []byte("\x1b$")) {
		text = bytes.Map(func(r rune) rune {
			if isForbidden(r) {
				return -1
			}
			return r
		}, text)
	}
	return text
}

func isForbidden(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}
