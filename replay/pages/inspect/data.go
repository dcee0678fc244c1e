package inspect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/internal/spreadsheet"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// An answer is the beginning of the answer of /{coll}/inspect. The versions follow one by one.
type answer struct {
	OriginalURI string         `json:"original_uri"`
	Datetime    string         `json:"datetime"` // of the page that element counts on
	Level       string         `json:"level"`
	Total       int            `json:"total"` // versions there are at this level
	Element     *answerElement `json:"element"`
	Template    string         `json:"template"` // the fields as YAML
	Each        string         `json:"each,omitempty"`
	Key         string         `json:"key,omitempty"` // the field by which rows are known again
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

// An answerElement is the chosen element. Number is null if the selector finds nothing on the page.
type answerElement struct {
	Number *int   `json:"number"`
	CSS    string `json:"css,omitempty"`
	XPath  string `json:"xpath,omitempty"`
	Finds  int    `json:"finds"`
	Holds  *int   `json:"holds,omitempty"` // in how many of the other versions that were tried
	Tried  *int   `json:"tried,omitempty"`
	Each   string `json:"each,omitempty"` // what finds the rows of the list that it stands in
	InRow  string `json:"in_row,omitempty"`
	Rows   int    `json:"rows,omitempty"`
}

type answerVersion struct {
	First   string        `json:"first"`
	Last    string        `json:"last"`
	Until   *string       `json:"until"`
	URIM    string        `json:"uri_m"`
	Values  fields.Values `json:"values"`
	Changed []string      `json:"changed"`
	Rows    *int          `json:"rows,omitempty"` // how many there are, where the template reads rows
	More    bool          `json:"more,omitempty"` // and more, that were not read
	Changes []rowChange   `json:"changes,omitempty"`
	Note    *string       `json:"note"`
}

func (in *inspection) answer() *answer {
	out := &answer{
		OriginalURI: in.p.URIR, Datetime: in.capture.Time.String(), Level: in.level.String(), Total: len(in.ranges),
		Template: formatTemplate(in.fields, ""), Fields: []answerField{},
		Each: in.each,
	}
	if in.each != "" {
		out.Key = in.rowKey()
	}
	for i := range in.fields {
		f := &in.fields[i]
		t := cmp.Or(f.Type, fields.Text)
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
		e.Each, e.InRow, e.Rows = ch.list.Each, ch.inRow, ch.list.Rows
		out.Element = e
	}
	return out
}

func (in *inspection) version(r *row, uris memento.URIs) *answerVersion {
	out := &answerVersion{
		First: r.First.String(), Last: r.Last.String(), URIM: uris.Memento(r.capture.Time, "", r.capture.URL), Values: r.values,
		Changed: append([]string{}, r.changed...),
	}
	if n := len(r.rows); in.each != "" && r.note == noNote {
		out.Rows, out.More, out.Changes = &n, r.cut, r.changes
	}
	if r.Until != 0 {
		until := r.Until.String()
		out.Until = &until
	}
	if r.note != noNote {
		say := r.noteText()
		out.Note = &say
	}
	return out
}

func (r *row) noteText() string {
	if r.say != "" {
		return r.say
	}
	return r.note.String()
}

// writeJSON writes an answer, a version at a time. If the time is up, next is the address of the rest.
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
	_ = e.Encode(in.answer()) // can't fail
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
		_ = e.Encode(in.version(row, uris))
		return flush() == nil
	})
	if err != nil {
		return err
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

// writeCSV writes a table with a row for each version. If the time is up, the last row says so and begins with the datetime from which to
// continue.
func (s *Handler) writeCSV(w http.ResponseWriter, r *http.Request, in *inspection) error {
	if in.tmpl == nil {
		return respond.BadRequest("a table needs a field, as in css=h1, or a template")
	}
	uris, out := s.site.Absolute(r, in.p.Coll), respond.Table(w, in.p.Coll+"-values.csv")
	if r.Method == http.MethodHead {
		return nil
	}
	head := []string{"from", "to", "memento", "note", "changed"}
	if in.each != "" {
		head = append(head, "row")
	}
	for i := range in.fields {
		head = append(head, in.fields[i].Name)
	}
	_ = out.Write(head) // Flush reports errors
	err := s.each(r, in, func(row *row) bool {
		is := []string{row.First.String(), row.Last.String(), uris.Memento(row.capture.Time, "", row.capture.URL), row.noteText()}
		for _, line := range in.lines(row) {
			if out.Write(append(is[:len(is):len(is)], line...)) != nil {
				return false
			}
		}
		return true
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// lines returns the rows for a version: one, or with a template of rows one for each that was added, removed or changed.
func (in *inspection) lines(r *row) (out [][]string) {
	if in.each == "" {
		return [][]string{append([]string{strings.Join(r.changed, " ")}, in.cells(r.values)...)}
	}
	for _, c := range r.changes {
		out = append(out, append([]string{c.Op, strconv.Itoa(c.Row)}, in.cells(c.Values)...))
	}
	if out == nil {
		out = [][]string{append([]string{"", ""}, in.cells(nil)...)}
	}
	return out
}

func (in *inspection) cells(of fields.Values) (out []string) {
	for i := range in.fields {
		f := &in.fields[i]
		cell := strings.Join(of[f.Name], "\n")
		if !f.Type.Ordered() {
			cell = spreadsheet.Cell(cell)
		}
		out = append(out, cell)
	}
	return out
}
