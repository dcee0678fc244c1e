// Package percent encodes bytes of addresses (RFC 3986 §2.1).
package percent

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Encode returns an address with the bytes percent-encoded for which encoded returns true.
func Encode(address string, encoded func(c byte) bool) string {
	var b strings.Builder
	for i := range len(address) {
		if c := address[i]; encoded(c) {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// NonASCII reports whether a byte is none of ASCII.
func NonASCII(c byte) bool { return c >= 0x80 }

// UTF8 returns an address unchanged if it is valid UTF-8. Otherwise it percent-encodes all that isn't ASCII, because JSON and other texts
// can't hold such bytes.
func UTF8(address string) string {
	if utf8.ValidString(address) {
		return address
	}
	return Encode(address, NonASCII)
}
