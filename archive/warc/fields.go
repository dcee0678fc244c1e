package warc

import (
	"net/http"
	"slices"
	"strings"
)

// A Field is one header field of a WARC record or an HTTP message, as it was written, but without white space around
// the value and with folded lines joined by one space.
type Field struct{ Name, Value string }

// Fields are header fields in the order in which they were written, duplicates included. Case doesn't matter in names.
type Fields []Field

// Get returns the value of the first field of that name, or "".
func (f Fields) Get(name string) string {
	for i := range f {
		if len(f[i].Name) == len(name) && strings.EqualFold(f[i].Name, name) {
			return f[i].Value
		}
	}
	return ""
}

// HTTP returns the fields in the form of package net/http.
func (f Fields) HTTP() http.Header {
	h := make(http.Header, len(f))
	for i := range f {
		h.Add(f[i].Name, f[i].Value)
	}
	return h
}

// Has reports whether there is a field of that name.
func (f Fields) Has(name string) bool {
	return slices.ContainsFunc(f, func(field Field) bool { return strings.EqualFold(field.Name, name) })
}

// All returns the values of all fields of that name, in order.
func (f Fields) All(name string) []string {
	var values []string
	for i := range f {
		if len(f[i].Name) == len(name) && strings.EqualFold(f[i].Name, name) {
			values = append(values, f[i].Value)
		}
	}
	return values
}

// ParseFields reads the fields of a block of type application/warc-fields (ISO 28500 §6.2), such as that of a warcinfo record.
func ParseFields(text string) Fields { return Fields(nil).appendLines(text) }

// blank is the white space that is trimmed in heads.
const blank = " \t\r"

// appendLines appends the fields found in lines, which end in LF or CRLF. A line that starts with white space continues
// the one before it (RFC 9112 §5.2, ISO 28500 §4); one without a colon is skipped.
func (f Fields) appendLines(lines string) Fields {
	first := len(f)
	var folded []byte // the value of the last field, once a line has continued it
	for len(lines) > 0 {
		var line string
		line, lines, _ = strings.Cut(lines, "\n")
		if line != "" && (line[0] == ' ' || line[0] == '\t') {
			if len(f) > first {
				folded = fold(folded, f[len(f)-1].Value, strings.Trim(line, blank))
			}
			continue
		}
		if name, value, ok := strings.Cut(line, ":"); ok {
			f.unfold(folded)
			folded = nil
			f = append(f, Field{strings.Trim(name, blank), strings.Trim(value, blank)})
		}
	}
	f.unfold(folded)
	return f
}

// fold appends a continuation line to what was folded so far, which begins with value.
func fold(folded []byte, value, line string) []byte {
	if line == "" {
		return folded
	}
	if folded == nil {
		folded = []byte(value)
	}
	if len(folded) > 0 {
		folded = append(folded, ' ')
	}
	return append(folded, line...)
}

// unfold gives the last field its folded value, if it has one.
func (f Fields) unfold(folded []byte) {
	if folded != nil {
		f[len(f)-1].Value = string(folded)
	}
}
