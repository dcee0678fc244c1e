package memento

import (
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// LinkFormat is the media type of TimeMaps in link format (RFC 7089 §5, RFC 6690 §7.3).
const LinkFormat = "application/link-format"

// A Link is one link of a Link header (RFC 8288 §3) or of a TimeMap in link format.
type Link struct {
	URI      string        // as written between < and >
	Rels     []string      // relation types, registered ones in lower case
	Datetime cdx.Timestamp // of a memento (RFC 7089 §2.2.4); 0 if absent
	Type     string        // media type, "" if absent
	From     cdx.Timestamp // of a TimeMap: its first memento; 0 if absent
	Until    cdx.Timestamp // of a TimeMap: its last memento; 0 if absent
	Params   []Param       // all other attributes, in order
}

// A Param is a target attribute of a link. A value may be empty.
type Param struct {
	Name, Value string
}

// Has reports whether the link has the relation type rel. The comparison ignores case (RFC 8288 §2.1.1).
func (l *Link) Has(rel string) bool {
	for _, r := range l.Rels {
		if strings.EqualFold(r, rel) {
			return true
		}
	}
	return false
}

// AppendLinks appends links as the value of one Link header.
func AppendLinks(b []byte, links []Link) []byte {
	for i := range links {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = AppendLink(b, &links[i])
	}
	return b
}

// FormatLinks returns links as the value of one Link header.
func FormatLinks(links []Link) string {
	return string(AppendLinks(make([]byte, 0, 160*len(links)), links))
}

// AppendLink appends one link-value (RFC 8288 §3). [AppendURI] writes its URI. Attributes whose name is no token are
// left out, because they could not be read back.
func AppendLink(b []byte, l *Link) []byte {
	b = append(b, '<')
	b = AppendURI(b, l.URI)
	b = append(b, '>')
	if len(l.Rels) > 0 {
		b = append(b, `; rel="`...)
		for i, rel := range l.Rels {
			if i > 0 {
				b = append(b, ' ')
			}
			b = appendQuotedText(b, rel)
		}
		b = append(b, '"')
	}
	b = appendDatetimeParam(b, "datetime", l.Datetime)
	if l.Type != "" {
		b = appendParam(b, "type", l.Type)
	}
	b = appendDatetimeParam(b, "from", l.From)
	b = appendDatetimeParam(b, "until", l.Until)
	for _, p := range l.Params {
		if isToken(p.Name) {
			b = appendParam(b, p.Name, p.Value)
		}
	}
	return b
}

func appendDatetimeParam(b []byte, name string, t cdx.Timestamp) []byte {
	if t == 0 {
		return b
	}
	b = append(b, ';', ' ')
	b = append(b, name...)
	b = append(b, '=', '"')
	b = AppendDatetime(b, t)
	return append(b, '"')
}

func appendParam(b []byte, name, value string) []byte {
	b = append(b, ';', ' ')
	b = append(b, name...)
	b = append(b, '=', '"')
	b = appendQuotedText(b, value)
	return append(b, '"')
}

// appendQuotedText appends the inside of a quoted-string (RFC 9110 §5.6.4). Control characters would end the header,
// so they become spaces.
func appendQuotedText(b []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' || c == 0x7f:
			b = append(b, ' ')
		default:
			b = append(b, c)
		}
	}
	return b
}

// AppendURI appends a URI in the form that fits into a header and between < and >. It percent-encodes only what would
// end the URI there: <, >, ", spaces, control characters and bytes beyond ASCII. Everything else stays, because "%2C"
// is a different URI than ",".
func AppendURI(b []byte, uri string) []byte {
	const hex = "0123456789ABCDEF"
	from := 0
	for i := range len(uri) {
		c := uri[i]
		if c > ' ' && c < 0x7f && c != '<' && c != '>' && c != '"' {
			continue
		}
		b = append(b, uri[from:i]...)
		b = append(b, '%', hex[c>>4], hex[c&15])
		from = i + 1
	}
	return append(b, uri[from:]...)
}

func isToken(s string) bool {
	for i := range len(s) {
		if !isTokenByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// isTokenByte reports whether c is a tchar of RFC 9110 §5.6.2.
func isTokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}
