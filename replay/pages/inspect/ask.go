package inspect

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/respond"
)

type ask struct {
	params   url.Values
	field    fields.Field   // in the form; zero without a selector
	each     string         // selector of the rows of a page, "" for one document per page
	key      string         // name of the field that identifies a row, "" for the first
	template []fields.Field // the fields so far
	text     string         // of the template, as typed
	element  int            // number of the chosen element, -1 for none
	level    change.Level
	from, to cdx.Timestamp // of the versions; 0 for no bound
	output   string        // json, csv, or "" for a page in browsers
	err      error         // what is wrong with field or template, for the reader
}

// parse reads the parameters. The error is for requests that no form sends; invalid input of a reader is in the ask.
func parse(p respond.Path) (*ask, error) {
	q := p.Params
	a := &ask{params: q, element: -1, text: q.Get("template"), output: q.Get("output")}
	switch a.output {
	case "", "json", "csv":
	default:
		return nil, respond.BadRequest("output takes json or csv")
	}
	if err := a.parseBounds(q); err != nil {
		return nil, err
	}
	if v := q.Get("element"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 {
			return nil, respond.BadRequest("element takes the number of an element, from 0")
		}
		a.element = n
	}
	a.field = fields.Field{
		Name: strings.TrimSpace(q.Get("name")), CSS: strings.TrimSpace(q.Get("css")), XPath: strings.TrimSpace(q.Get("xpath")),
		Type: fields.Type(q.Get("type")), Attribute: strings.TrimSpace(q.Get("attribute")), All: q.Get("all") != "",
	}
	for _, clean := range q["clean"] {
		for line := range strings.Lines(clean) {
			if line = strings.TrimRight(line, "\r\n"); line != "" {
				a.field.Clean = append(a.field.Clean, line)
			}
		}
	}
	pasted, err := parseTemplate(a.text, surt.Of(p.URIR))
	a.template, a.err = pasted.Fields, err
	a.each, a.key = cmp.Or(strings.TrimSpace(q.Get("each")), pasted.Each), strings.TrimSpace(q.Get("key"))
	return a, nil
}

func (a *ask) parseBounds(q url.Values) (err error) {
	level := cmp.Or(q.Get("level"), change.LevelText.String()) // a search reads values at this level
	if a.level, err = change.ParseLevel(level); err != nil {
		return respond.BadRequest(err.Error())
	}
	if v := q.Get("from"); v != "" {
		if a.from, err = cdx.ParseAsked(v); err != nil {
			return respond.BadRequest("from takes a datetime of 1 to 14 digits, as in from=20160901")
		}
	}
	if v := q.Get("to"); v != "" {
		if a.to, err = cdx.ParseAskedEnd(v); err != nil {
			return respond.BadRequest("to takes a datetime of 1 to 14 digits, as in to=20160901")
		}
	}
	return nil
}

// hasField reports whether the form has a selector.
func (a *ask) hasField() bool { return a.field.CSS != "" || a.field.XPath != "" }

// name gives the field in the form a unique name, if it has none.
func (a *ask) name() {
	taken := map[string]bool{}
	for _, f := range a.template {
		taken[f.Name] = true
	}
	if a.field.Name == "" {
		a.field.Name = "value"
	} else if !taken[a.field.Name] || a.element < 0 {
		return
	}
	base := a.field.Name[:min(len(a.field.Name), 36)]
	for i := 2; taken[a.field.Name]; i++ {
		a.field.Name = fmt.Sprintf("%s_%d", base, i)
	}
}

// put adds the field in the form to the template, or replaces the field of the same name.
func (a *ask) put() {
	for i := range a.template {
		if a.template[i].Name == a.field.Name {
			a.template[i] = a.field
			a.field = fields.Field{}
			return
		}
	}
	a.template, a.field = append(a.template, a.field), fields.Field{}
}

// all returns the fields whose values are shown: those of the template, and the one in the form, which overrides one of the same name.
func (a *ask) all() (out []fields.Field) {
	for _, f := range a.template {
		if !a.hasField() || f.Name != a.field.Name {
			out = append(out, f)
		}
	}
	if a.hasField() {
		out = append(out, a.field)
	}
	return out
}

// compile checks all fields. The error is a sentence for the reader.
func (a *ask) compile() (t *fields.Template, list []fields.Field, err error) {
	list = a.all()
	if err := checkAllModest(a.each, list); err != nil {
		return nil, list, err
	}
	if t, err = fields.NewRows(a.each, list); err != nil {
		return nil, list, explain(err)
	}
	return t, list, nil
}

// explain returns an error of a field as a sentence.
func explain(err error) error {
	var wrong *fields.Error
	if !errors.As(err, &wrong) {
		return err
	}
	what, known := map[string]string{
		"css": "the CSS selector", "xpath": "the XPath expression", "clean": "an expression of clean", "each": "the selector of rows",
	}[wrong.Key]
	if !known {
		what = "the " + wrong.Key
	}
	if wrong.Name != "" && wrong.Key != "name" {
		what += " of " + wrong.Name
	}
	return fmt.Errorf("%s is wrong: %w", what, wrong.Err)
}
