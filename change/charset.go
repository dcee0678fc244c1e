package change

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
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
func (d *declared) toUTF8(body []byte, contentType string) []byte {
	e, name, certain := d.determine(body, contentType)
	if !certain && name == undeclaredName {
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

// A declared remembers which charset the pages whose beginnings were read last declare, and by what: pages of a site
// begin alike.
type declared [64]struct {
	start, contentType string
	encoding           encoding.Encoding
	name               string
}

// sniffed is how much of a page a declaration is looked for in.
const sniffed = 1024

// determine is [charset.DetermineEncoding].
func (d *declared) determine(body []byte, contentType string) (e encoding.Encoding, name string, certain bool) {
	start := untilDeclared(body)
	if start == nil {
		return charset.DetermineEncoding(body, contentType)
	}
	known := &d[xxh3.Hash(start)%uint64(len(d))]
	if known.start != string(start) || known.contentType != contentType {
		e, name, certain = charset.DetermineEncoding(start, contentType)
		if certain || name == undeclaredName { // the header says it, or the declaration stands further on
			return charset.DetermineEncoding(body, contentType)
		}
		known.start, known.contentType, known.encoding, known.name = string(start), strings.Clone(contentType), e, name
	}
	return known.encoding, known.name, false
}

// undeclaredName is what ASCII without a declaration is taken for.
const undeclaredName = "windows-1252"

// untilDeclared returns the beginning of a page up to the end of the first tag that seems to declare a charset, nil where there
// is none or anything but ASCII before its end.
func untilDeclared(body []byte) []byte {
	start := body[:min(len(body), sniffed)]
	at := bytes.Index(start, []byte("charset"))
	if at < 0 {
		return nil
	}
	end := bytes.IndexByte(start[at:], '>')
	if end < 0 {
		return nil
	}
	start = start[:at+end+1]
	for _, c := range start {
		if c >= utf8.RuneSelf {
			return nil
		}
	}
	return start
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
