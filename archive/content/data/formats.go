package data

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"strings"

	"github.com/varve-archive/varve/archive/content/decoded"
)

// readJSON writes a paragraph for each value, preceded by its name, and one for what follows a syntax error.
func readJSON(w *writer, body []byte, contentType string) {
	body = decoded.UTF8(body, contentType)
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	type level struct {
		object, named bool // named: the next token is a value
		name          string
	}
	var at []level
	for !w.full() && len(at) < maxDepth {
		t, err := d.Token()
		if faulty := new(json.SyntaxError); errors.As(err, &faulty) && w.out.Len() > 0 {
			rest := body[d.InputOffset():]
			w.block("p", string(rest[:min(len(rest), maxText)]))
		}
		if err != nil {
			return
		}
		var in *level
		if len(at) > 0 {
			in = &at[len(at)-1]
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '}' || t == ']' {
				at = at[:len(at)-1]
				continue
			}
			name := ""
			if in != nil {
				name, in.named = in.name, false
			}
			if t == '[' {
				at = append(at, level{name: name})
			} else {
				at = append(at, level{object: true})
			}
			continue
		case string:
			if in != nil && in.object && !in.named {
				in.name, in.named = t, true
				continue
			}
		}
		said := ""
		if t != nil { // null says nothing
			said = fmt.Sprint(t)
		}
		if in != nil {
			if in.name != "" && said != "" {
				said = in.name + ": " + said
			}
			in.named = false
		}
		w.block("p", said)
	}
}

// readPlain writes the lines of a text.
func readPlain(w *writer, body []byte, contentType string) {
	body = decoded.UTF8(body, contentType)
	w.block("pre", string(body[:min(len(body), maxText)]))
}

// readCards writes a paragraph for each property of a calendar or a card (RFC 5545 §3.1, §3.8.7.2). Lines may be folded within a character.
func readCards(w *writer, body []byte, contentType string) {
	unfold := strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "")
	text := unfold.Replace(string(decoded.UTF8([]byte(unfold.Replace(string(body))), contentType)))
	unescape := strings.NewReplacer(`\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";", `\\`, `\`)
	var value strings.Builder // quoted-printable, which goes on in the next line
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		more := strings.HasSuffix(line, "=") && (value.Len() > 0 || isPrintable(line))
		if more || value.Len() > 0 {
			value.WriteString(strings.TrimSuffix(line, "="))
			if more {
				continue
			}
			line = value.String()
			value.Reset()
		}
		writeProperty(w, line, unescape)
	}
	writeProperty(w, value.String(), unescape)
}

// isPrintable reports whether the value of a property is quoted-printable, as in vCard 2.1.
func isPrintable(property string) bool {
	parameters, _, ok := strings.Cut(property, ":")
	return ok && strings.Contains(strings.ToUpper(parameters)+";", "QUOTED-PRINTABLE;")
}

// writeProperty writes a paragraph for a property, unless it says when it was sent or is a file.
func writeProperty(w *writer, property string, unescape *strings.Replacer) {
	name, value, ok := strings.Cut(property, ":")
	parameters := strings.ToUpper(name) + ";"
	switch {
	case !ok || strings.HasPrefix(parameters, "DTSTAMP;") || strings.HasPrefix(value, "data:") ||
		strings.Contains(parameters, "ENCODING=B;") || strings.Contains(parameters, "BASE64;"):
		return
	case isPrintable(property):
		said, _ := io.ReadAll(quotedprintable.NewReader(strings.NewReader(value))) // up to a fault
		value = string(decoded.UTF8(said, "text/plain;"+name))
	default:
		value = unescape.Replace(value)
	}
	w.block("p", name+": "+value)
}

// readTable writes a row for each line. The separator is the one that divides the first line into most fields.
func readTable(w *writer, body []byte, contentType string) {
	body = decoded.UTF8(body, contentType)
	line, rest, _ := bytes.Cut(body, []byte("\n"))
	if said := bytes.TrimSpace(line); len(said) == len("sep=;") && bytes.HasPrefix(said, []byte("sep=")) {
		body, line = rest, said // it says the separator, for Excel
	}
	in := csv.NewReader(bytes.NewReader(body))
	in.LazyQuotes, in.FieldsPerRecord, in.ReuseRecord = true, -1, true
	for _, c := range ",;\t|" {
		if bytes.Count(line, []byte(string(c))) > bytes.Count(line, []byte(string(in.Comma))) {
			in.Comma = c
		}
	}
	w.out.WriteString("<table>\n")
	empty := w.out.Len()
	for !w.full() {
		row, err := in.Read()
		if err != nil {
			break
		}
		before := w.out.Len()
		w.out.WriteString("<tr>")
		inside := w.out.Len()
		for _, cell := range row {
			w.block("td", cell)
		}
		if w.out.Len() == inside {
			w.out.Truncate(before)
			continue
		}
		w.out.WriteString("</tr>\n")
	}
	if w.out.Len() == empty {
		w.out.Reset()
		return
	}
	w.out.WriteString("</table>\n")
}

// readXML writes a paragraph for each text between two tags.
func readXML(w *writer, body []byte, contentType string) {
	d := decoded.XML(body, contentType)
	var b strings.Builder
	end := func() {
		w.block("p", b.String())
		b.Reset()
	}
	for depth := 0; !w.full() && depth < maxDepth; {
		t, err := d.Token()
		if err != nil {
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			depth++
			end()
		case xml.EndElement:
			depth--
			end()
		case xml.CharData:
			b.Write(t)
		}
	}
	end()
}
