package search

import (
	"context"

	index "github.com/blevesearch/bleve_index_api"
)

// A reader is a snapshot of the index.
type reader struct{ index.IndexReader }

// ids returns the IDs of the documents with a value in a field.
func (r reader) ids(field, value string) ([]string, error) {
	t, err := r.TermFieldReader(context.Background(), []byte(value), field, false, false, false)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var out []string
	for {
		doc, err := t.Next(nil)
		if err != nil || doc == nil {
			return out, err
		}
		id, err := r.ExternalID(doc.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
}

func docID(doc uint64) index.IndexInternalID { return index.NewIndexInternalID(nil, doc) }

// count returns the number of changes with a term in a field.
func (r reader) count(field, t string) (uint64, error) {
	p, err := r.posting(field, t, false)
	if err != nil {
		return 0, err
	}
	defer p.close()
	return p.r.Count(), nil
}

// change decodes document doc; ok is false if it is a page's own document.
func (r reader) change(doc uint64) (c Change, ok bool, err error) {
	id, err := r.ExternalID(docID(doc))
	if err != nil || id == "" || id[0] != changeID {
		return c, false, err
	}
	c, err = parseChange(id)
	return c, err == nil, err
}
