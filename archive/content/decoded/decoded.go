// Package decoded decodes documents other than HTML, whose charset is given by HTTP, a byte order mark or an XML declaration.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package decoded

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/varve-archive/varve/internal/xmltext"
)

const utf8Mark = "\xEF\xBB\xBF"

// maxText bounds what is decoded, in bytes.
const maxText = 8 << 20

// UTF8 returns a document in UTF-8 without a byte order mark. contentType is that of HTTP. If neither it nor a byte order mark gives a
// charset, a document that is no UTF-8 is read as windows-1252, like plain text. If it is unknown, the document is returned unchanged.
func UTF8(body []byte, contentType string) []byte {
	label := labelOf(body, contentType)
	if label == "" && !isUTF8(body) {
		label = "windows-1252"
	}
	text, _ := decode(body, label)
	return text
}

// isUTF8 reports whether a text is UTF-8. Behind others a character may be cut off at its end.
func isUTF8(text []byte) bool {
	if utf8.Valid(text) {
		return true
	}
	n := len(text) - 1
	for n > 0 && n > len(text)-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return !utf8.FullRune(text[n:]) && utf8.Valid(text[:n]) && utf8.RuneCount(text[:n]) < n
}

// XML returns a decoder of a document. The charset of HTTP takes precedence over the document's declaration (RFC 7303 §3). Invalid names
// and values are read as far as possible, characters that XML forbids are passed over, bytes that are no UTF-8 are U+FFFD where no other
// charset is declared, and entities that the document declares are not expanded.
func XML(body []byte, contentType string) *xml.Decoder {
	text, other := decode(body, labelOf(body, contentType))
	declared := xmltext.Encoding(text)
	if other || strings.EqualFold(declared, "utf-8") {
		text, declared = undeclared(text), ""
	}
	if declared == "" {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	text = xmltext.Legal(text)
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict, d.Entity, d.CharsetReader = false, xml.HTMLEntity, charset.NewReaderLabel
	return d
}

// labelOf returns the charset of a document by a byte order mark or, without one, HTTP, "" if neither says it.
func labelOf(body []byte, contentType string) string {
	switch {
	case bytes.HasPrefix(body, []byte("\xFE\xFF")):
		return "utf-16be"
	case bytes.HasPrefix(body, []byte("\xFF\xFE")):
		return "utf-16le"
	case bytes.HasPrefix(body, []byte(utf8Mark)):
		return "utf-8"
	}
	return xmltext.Charset(contentType)
}

// decode returns a document of a charset in UTF-8, and whether it was in another one.
func decode(body []byte, label string) (text []byte, other bool) {
	if label == "" || strings.EqualFold(label, "utf-8") {
		return withoutMark(body), false
	}
	in, err := charset.NewReaderLabel(label, bytes.NewReader(body))
	if err != nil {
		return body, false
	}
	decoded, err := io.ReadAll(io.LimitReader(in, maxText))
	if err != nil {
		return body, false
	}
	return withoutMark(decoded), true
}

func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte(utf8Mark)) }

// undeclared removes the XML declaration of a document that was converted to UTF-8.
func undeclared(text []byte) []byte {
	if start := bytes.TrimLeft(text, " \t\r\n\ufeff"); bytes.HasPrefix(start, []byte("<?xml")) {
		if end := bytes.Index(start, []byte("?>")); end >= 0 {
			return start[end+2:]
		}
	}
	return text
}
