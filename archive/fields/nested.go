package fields

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

const (
	maxNested     = 100      // objects in a field of one document
	maxNestedSize = 64 << 10 // bytes of these together
)

// newNested checks a field that is a list within a document. key is the invalid key.
func newNested(f *Field) (nested *Template, key string, err error) {
	switch {
	case f.Each == "":
		return nil, "each", errors.New("fields within a field need each, which finds the items of the list")
	case len(f.Fields) == 0:
		return nil, "fields", errors.New("a field with each has fields, which are read in each item")
	case f.CSS != "" || f.XPath != "" || f.Attribute != "" || len(f.Clean) > 0:
		return nil, "each", errors.New("a field with each has fields, and no css, xpath, attribute or clean")
	case f.Type != Text:
		return nil, "type", errors.New("a field with each has no type")
	}
	for i := range f.Fields {
		if f.Fields[i].Each != "" || f.Fields[i].Fields != nil {
			return nil, "fields", errors.New("a list within a list can't have lists in turn")
		}
	}
	nested, err = NewRows(f.Each, f.Fields)
	if of, ok := errors.AsType[*Error](err); ok && of.Field < 0 {
		return nil, of.Key, of.Err
	}
	return nested, "fields", err
}

// readNested returns the items of a list as JSON objects, as many as the limits allow.
func (r *reader) readNested(ctx context.Context, d *Document) (out []string, err error) {
	rows, _, err := r.nested.Rows(ctx, d)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, row := range rows[:min(len(rows), maxNested)] {
		text, err := json.Marshal(r.nested.Data(row.Values))
		if size += len(text); err != nil || size > maxNestedSize {
			break
		}
		out = append(out, string(text))
	}
	return out, nil
}

// Data returns values for JSON, in which the items of lists within a document are objects. Other values are texts, as in [Values]; but in
// an item a field without All is a single text, not a list.
func (t *Template) Data(values Values) map[string]any {
	out := make(map[string]any, len(values))
	for name, list := range values {
		out[name] = list
	}
	for i := range t.readers {
		r := &t.readers[i]
		list := values[r.Name]
		switch {
		case len(list) == 0:
		case r.nested != nil:
			items := make([]any, len(list))
			for j, text := range list {
				items[j] = text
				if json.Valid([]byte(text)) && strings.HasPrefix(text, "{") {
					items[j] = json.RawMessage(text)
				}
			}
			out[r.Name] = items
		case t.item && !r.All:
			out[r.Name] = list[0]
		}
	}
	return out
}
