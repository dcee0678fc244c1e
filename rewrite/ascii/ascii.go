// Package ascii tells apart the bytes that mean something to the parsers of web documents.
package ascii

import "unicode/utf8"

// IsAlnum reports whether c is a letter or a digit.
func IsAlnum(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}

// IsSpace reports whether c is white space to HTML and CSS.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// Only reports whether all of s is ASCII.
func Only(s []byte) bool {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
