package cdx

import (
	"fmt"
	"unicode/utf8"
)

// appendJSONString appends s as a JSON string. encoding/json would take most of the time of an answer with many rows.
func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := len(dst)
	return closeJSONString(append(dst, s...), start)
}

// closeJSONString escapes dst[start:] as the inside of a JSON string and appends the closing quote.
func closeJSONString(dst []byte, start int) []byte {
	for i := start; i < len(dst); i++ {
		if c := dst[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			rest := string(dst[i:])
			return append(appendJSONRest(dst[:i], rest), '"')
		}
	}
	return append(dst, '"')
}

func appendJSONRest(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == '\u0085' || r == '\u2028' || r == '\u2029' { // many languages end lines at them
				dst = fmt.Appendf(dst, `\u%04x`, r)
			} else {
				dst = utf8.AppendRune(dst, r) // invalid UTF-8 becomes U+FFFD, because JSON can't hold it
			}
			i += size
			continue
		}
		i++
	}
	return dst
}

const hexDigits = "0123456789abcdef"
