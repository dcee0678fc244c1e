package warc

import (
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/internal/contenttype"
	"github.com/varve-archive/varve/internal/percent"
)

// ContentType returns the media type that a browser takes from the Content-Type fields of a response, which may be repeated or a list
// (Fetch §2.2.2, "extract a MIME type"): the last valid one, with the charset of an earlier one of the same type. A single type is returned
// as it is written, except for parameters with a comma in quotes, which other programs might split. The result is "" if none is valid:
// browsers then look at the body. If there is one and they may not sniff (nosniff), they show text.
func ContentType(fields Fields) string {
	values := fields.All("Content-Type")
	if out := readContentType(values); out != "" || len(values) == 0 || !guessesNothing(fields) {
		return out
	}
	return "text/plain"
}

// guessesNothing reports whether a browser may only use the declared type (Fetch §3.8, "determine nosniff").
func guessesNothing(fields Fields) bool {
	return strings.EqualFold(splitList(strings.Join(fields.All("X-Content-Type-Options"), ","))[0], "nosniff")
}

func readContentType(values []string) string {
	if len(values) == 1 && !strings.Contains(values[0], ",") {
		if _, ok := essence(values[0]); !ok {
			return ""
		}
		return values[0]
	}
	kind, charset, out := "", "", ""
	for _, one := range splitList(strings.Join(values, ", ")) {
		k, ok := essence(one)
		if !ok || k == "*/*" {
			continue
		}
		if k != kind {
			kind, charset = k, ""
		}
		out = one
		_, params, _ := mime.ParseMediaType(one)
		if own := params["charset"]; own != "" {
			charset = own
		} else if charset != "" {
			out += "; charset=" + charset
		}
	}
	if strings.Contains(out, ",") {
		if out = kind; areTokens(charset) {
			out += "; charset=" + charset
		}
	}
	return out
}

// essence returns the type and subtype of a media type in lower case. ok is false if these are invalid (MIME Sniffing §4.4).
func essence(contentType string) (kind string, ok bool) {
	kind = contenttype.Media(contentType)
	first, second, ok := strings.Cut(kind, "/")
	return kind, ok && areTokens(first) && areTokens(second)
}

func areTokens(s string) bool {
	for i := range len(s) {
		if !isToken(s[i]) {
			return false
		}
	}
	return s != ""
}

// splitList splits at commas outside of quotes (Fetch §2.2.2, "get, decode, and split").
func splitList(s string) (parts []string) {
	start, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quoted:
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted:
			parts, start = append(parts, strings.Trim(s[start:i], " \t")), i+1
		}
	}
	return append(parts, strings.Trim(s[start:], " \t"))
}

// WithContentType returns the fields with the one Content-Type that [ContentType] returns, or none.
func (f Fields) WithContentType() Fields {
	values, want := f.All("Content-Type"), ContentType(f)
	if len(values) == 0 || len(values) == 1 && values[0] == want {
		return f
	}
	out := slices.DeleteFunc(slices.Clone(f), func(field Field) bool { return strings.EqualFold(field.Name, "Content-Type") })
	if want != "" {
		out = append(out, Field{"Content-Type", want})
	}
	return out
}

// mendAddresses converts non-UTF-8 bytes in fields with addresses as browsers do: in most fields the bytes are percent-encoded (URL §4.4);
// Refresh is read as Latin-1 (HTML §4.2.5.3).
func (f Fields) mendAddresses() {
	for i := range f {
		if utf8.ValidString(f[i].Value) {
			continue
		}
		switch strings.ToLower(f[i].Name) {
		case "location", "content-location", "link", "sourcemap", "x-sourcemap":
			f[i].Value = percent.UTF8(f[i].Value)
		case "refresh":
			f[i].Value = fromLatin1(f[i].Value)
		}
	}
}

func fromLatin1(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}
