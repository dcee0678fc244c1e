package change

import (
	"bytes"
	"regexp"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

var (
	utf8BOM = []byte("\xef\xbb\xbf")
	// XML 1.0 §4.3.3; an XHTML page may name its charset nowhere else.
	xmlEncoding = regexp.MustCompile(`^<\?xml[^>]*\bencoding\s*=\s*["']([A-Za-z0-9._:-]+)`)
)

// toUTF8 returns body as valid UTF-8: by its byte-order mark, else the charset of the Content-Type
// header, else a meta element or XML declaration, else as UTF-8 if it is that, else as windows-1252.
// Bytes that are wrong in their charset become U+FFFD. The answer may be body itself.
func toUTF8(body []byte, contentType string) []byte {
	e, name, certain := charset.DetermineEncoding(body, contentType)
	if !certain && name == "windows-1252" {
		e, name = undeclared(body, e, name)
	}
	if name == "utf-8" {
		body = bytes.TrimPrefix(body, utf8BOM)
		if utf8.Valid(body) {
			return body
		}
		return bytes.ToValidUTF8(body, []byte("\ufffd"))
	}
	// No decoder of the WHATWG set refuses bad input; should one, what it read so far is still text.
	out, _, _ := transform.Bytes(e.NewDecoder(), body)
	return bytes.ToValidUTF8(bytes.TrimPrefix(out, utf8BOM), []byte("\ufffd"))
}

// undeclared decides where the page says nothing, or says windows-1252: text that is valid UTF-8
// throughout was never meant as windows-1252, and the sniffing so far saw 1024 bytes only.
func undeclared(body []byte, e encoding.Encoding, name string) (encoding.Encoding, string) {
	if m := xmlEncoding.FindSubmatch(body[:min(len(body), 256)]); m != nil {
		if x, n := charset.Lookup(string(m[1])); x != nil {
			return x, n
		}
	}
	if utf8.Valid(body) {
		return encoding.Nop, "utf-8"
	}
	return e, name
}
