package data

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
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

// readCards writes a paragraph for each property of a calendar or a card, but for when it was sent (RFC 5545 §3.1, §3.8.7.2).
func readCards(w *writer, body []byte, contentType string) {
	text := strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "").Replace(string(decoded.UTF8(body, contentType)))
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(line, ":"); ok && name != "DTSTAMP" {
			w.block("p", name+": "+value)
		}
	}
}

// readTable writes a row for each line. The separator is the one that divides the first line into most fields.
func readTable(w *writer, body []byte, contentType string) {
	body = decoded.UTF8(body, contentType)
	line, _, _ := bytes.Cut(body, []byte("\n"))
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
