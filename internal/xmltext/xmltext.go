// Package xmltext reads the encoding that XML or its Content-Type declares, and makes XML readable that single characters keep from being
// well-formed.
package xmltext

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// declaration matches an XML declaration with an encoding.
var declaration = regexp.MustCompile(`^[ \t\r\n]*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']`)

// maxDeclaration is the number of bytes in which an XML declaration ends.
const maxDeclaration = 1 << 10

// Encoding returns the encoding that the XML declaration of a text names, "" if it names none. A declaration that can be read as ASCII
// isn't in UTF-16, whatever it says: some programs name the encoding of their memory (HTML, "prescan a byte stream").
func Encoding(text []byte) string {
	m := declaration.FindSubmatch(text[:min(len(text), maxDeclaration)])
	switch {
	case m == nil:
		return ""
	case strings.HasPrefix(strings.ToLower(string(m[1])), "utf-16"):
		return "utf-8"
	}
	return string(m[1])
}

// Charset returns the charset parameter of a Content-Type, however badly the rest is written.
func Charset(contentType string) string {
	_, after, ok := strings.Cut(strings.ToLower(contentType), "charset=")
	if !ok {
		return ""
	}
	after, _, _ = strings.Cut(after, ";")
	return strings.Trim(strings.TrimSpace(after), `"'`)
}

// InUTF8 converts a document to UTF-8, without its byte order mark and XML declaration. The encoding is that of the mark, the XML
// declaration or the header; if the document isn't valid in it, windows-1252, in which every byte is valid.
func InUTF8(body []byte, contentType string) []byte {
	if rest, ok := bytes.CutPrefix(body, []byte("\xef\xbb\xbf")); ok && !utf8.Valid(rest) { // the mark is wrong
		body = rest
	}
	if text, err := io.ReadAll(transform.NewReader(bytes.NewReader(body), unicode.BOMOverride(encoding.Nop.NewDecoder()))); err == nil &&
		!bytes.Equal(text, body) {
		return undeclared(text)
	}
	label := Encoding(body)
	if label == "" {
		label = Charset(contentType)
	}
	if e, name := charset.Lookup(label); e != nil && name != "utf-8" {
		if text, err := e.NewDecoder().Bytes(body); err == nil {
			return undeclared(text)
		}
	}
	if !utf8.Valid(body) {
		if text, err := charmap.Windows1252.NewDecoder().Bytes(body); err == nil {
			body = text
		}
	}
	return undeclared(body)
}

// undeclared removes an XML declaration: the encoding in it is wrong after the conversion, and encoding/xml refuses other versions
// than 1.0.
func undeclared(text []byte) []byte {
	at := bytes.Index(text[:min(len(text), 1024)], []byte("<?xml"))
	if at < 0 {
		return text
	}
	end := bytes.Index(text[at:min(len(text), at+1024)], []byte("?>"))
	if end < 0 {
		return text
	}
	return text[at+end+2:]
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
