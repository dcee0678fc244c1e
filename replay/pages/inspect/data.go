package inspect

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"mime"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/internal/spreadsheet"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// An answer is the answer of /{coll}/inspect before its versions, which are written one by one, and what follows them.
type answer struct {
	OriginalURI string         `json:"original_uri"`
	Datetime    string         `json:"datetime"` // of the page that element counts on
	Level       string         `json:"level"`
	Total       int            `json:"total"` // versions there are at this level
	Element     *answerElement `json:"element"`
	Template    string         `json:"template"` // the fields as YAML
	Fields      []answerField  `json:"fields"`
}

// An answerField is a field as it was read.
type answerField struct {
	Name      string   `json:"name"`
	CSS       string   `json:"css,omitempty"`
	XPath     string   `json:"xpath,omitempty"`
	Type      string   `json:"type"`
	Attribute string   `json:"attribute,omitempty"`
	Clean     []string `json:"clean,omitempty"`
	All       bool     `json:"all,omitempty"`
}

// An answerElement is what was pointed at. Number is null if the selector finds nothing on the page.
type answerElement struct {
	Number *int   `json:"number"`
	CSS    string `json:"css,omitempty"`
	XPath  string `json:"xpath,omitempty"`
	Finds  int    `json:"finds"`
	Holds  *int   `json:"holds,omitempty"` // in how many of the other versions that were tried
	Tried  *int   `json:"tried,omitempty"`
}

// An answerVersion is a version with its values.
type answerVersion struct {
	First   string        `json:"first"`
	Last    string        `json:"last"`
	Until   *string       `json:"until"`
	URIM    string        `json:"uri_m"`
	Values  fields.Values `json:"values"`
	Changed []string      `json:"changed"`
	Note    *string       `json:"note"`
}

func (in *inspection) answer() *answer {
	out := &answer{
		OriginalURI: in.p.URIR, Datetime: in.capture.Time.String(), Level: in.level.String(), Total: len(in.ranges),
		Template: formatTemplate(in.fields, ""), Fields: []answerField{},
	}
	for i := range in.fields {
		f := &in.fields[i]
		t := f.Type
		if t == "" {
			t = fields.Text
		}
		out.Fields = append(out.Fields, answerField{f.Name, f.CSS, f.XPath, string(t), f.Attribute, f.Clean, f.All})
	}
	if ch := in.chosen; ch != nil {
		e := &answerElement{CSS: in.field.CSS, XPath: in.field.XPath, Finds: ch.finds}
		if ch.number >= 0 {
			e.Number = &ch.number
		}
		if ch.others >= 0 {
			e.XPath, e.Holds, e.Tried = ch.xpath, &ch.holds, &ch.others
		}
		out.Element = e
	}
	return out
}

func (r *row) version(uris memento.URIs) *answerVersion {
	out := &answerVersion{
		First: r.First.String(), Last: r.Last.String(), URIM: uris.Memento(r.capture.Time, "", r.capture.URL), Values: r.values,
		Changed: append([]string{}, r.changed...),
	}
	if r.Until != 0 {
		until := r.Until.String()
		out.Until = &until
	}
	if r.note != noNote {
		say := r.told()
		out.Note = &say
	}
	return out
}

// told is the note of a row in data.
func (r *row) told() string {
	if r.say != "" {
		return r.say
	}
	return r.note.String()
}

// writeJSON writes an answer, a version at a time. If the time was up, next is the address of what follows.
func (s *Handler) writeJSON(w http.ResponseWriter, r *http.Request, in *inspection) error {
	h := w.Header()
	respond.AllowOrigins(h)
	h.Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return nil
	}
	uris := s.site.Absolute(r, in.p.Coll)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(in.answer()) // texts and numbers can always be written
	b.Truncate(b.Len() - len("}\n"))
	b.WriteString(`,"versions":[`)
	out, next, n := &respond.Streaming{W: w}, (*string)(nil), 0
	flush := func() error {
		_, err := b.WriteTo(out)
		return err
	}
	err := s.each(r, in, func(row *row) bool {
		if row.note == isAhead {
			to := uris.Endpoint("inspect", in.query(map[string]string{"from": row.First.String()}).Encode())
			next = &to
			return false
		}
		if n++; n > 1 {
			b.WriteByte(',')
		}
		_ = e.Encode(row.version(uris))
		return flush() == nil
	})
	if err != nil {
		return respond.BreakOff(s.Log, r, err)
	}
	b.WriteString(`],"next":`)
	_ = e.Encode(next)
	b.WriteString("}\n")
	return flush()
}

// each reads the versions if there are fields.
func (s *Handler) each(r *http.Request, in *inspection, each func(*row) bool) error {
	if in.tmpl == nil {
		return nil
	}
	return s.reading(in).rows(r.Context(), in.from, in.to, each)
}

// writeCSV writes a table, a version a row. If the time was up, the last row says so and begins with the datetime from which to
// ask again.
func (s *Handler) writeCSV(w http.ResponseWriter, r *http.Request, in *inspection) error {
	if in.tmpl == nil {
		return respond.BadRequest("a table needs a field, as in css=h1, or a template")
	}
	h := w.Header()
	respond.AllowOrigins(h)
	h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": in.p.Coll + "-values.csv"}))
	if r.Method == http.MethodHead {
		return nil
	}
	uris, out := s.site.Absolute(r, in.p.Coll), csv.NewWriter(&respond.Streaming{W: w})
	out.UseCRLF = true // RFC 4180
	head := []string{"from", "to", "memento", "note", "changed"}
	for i := range in.fields {
		head = append(head, in.fields[i].Name)
	}
	_ = out.Write(head) // errors stay until Flush
	err := s.each(r, in, func(row *row) bool {
		cells := []string{
			row.First.String(), row.Last.String(), uris.Memento(row.capture.Time, "", row.capture.URL), row.told(),
			strings.Join(row.changed, " "),
		}
		for i := range in.fields {
			f := &in.fields[i]
			cell := strings.Join(row.values[f.Name], "\n")
			if !f.Type.Ordered() {
				cell = spreadsheet.Cell(cell)
			}
			cells = append(cells, cell)
		}
		return out.Write(cells) == nil
	})
	if out.Flush(); err == nil {
		err = out.Error()
	}
	if err != nil {
		return respond.BreakOff(s.Log, r, err)
	}
	return nil
}
