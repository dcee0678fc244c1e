package segment

import (
	"sort"

	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// A columnReader reads the values of a column, best in the order of the documents.
type columnReader struct {
	of     *content
	blocks int
	table  table
	block  int // number of the unpacked block, -1 for none
	first  uint64
	values [][]byte
	raw    []byte
}

// column returns a reader, nil if the file lacks the column.
func (c *content) column(name string) (*columnReader, error) {
	for _, p := range c.dir.columns {
		if p.name == name {
			if p.blocks > c.dir.documents {
				return nil, errDamaged
			}
			t, err := newTable(c.file, p.table, 2*p.blocks+2)
			return &columnReader{of: c, blocks: int(p.blocks), table: t, block: -1}, err
		}
	}
	return nil, nil
}

// from returns the first document of a block.
func (r *columnReader) from(block int) uint64 { return r.table.at(2 * block) }

// packed returns a block, compressed.
func (r *columnReader) packed(block int) ([]byte, error) {
	return between(r.of.file, r.table.at(2*block+1), r.table.at(2*block+3))
}

// value returns the value of a document, valid until the next call.
func (r *columnReader) value(doc uint64) ([]byte, error) {
	if doc >= r.of.dir.documents {
		return nil, errNoDocument
	}
	if r.block < 0 || doc < r.first || doc-r.first >= uint64(len(r.values)) {
		block := sort.Search(r.blocks, func(i int) bool { return r.from(i) > doc }) - 1
		if err := r.read(block); err != nil {
			r.block = -1
			return nil, err
		}
	}
	if doc-r.first >= uint64(len(r.values)) {
		return nil, errDamaged
	}
	return r.values[doc-r.first], nil
}

func (r *columnReader) read(block int) error {
	if block < 0 {
		return errDamaged
	}
	packed, err := r.packed(block)
	if err != nil {
		return err
	}
	if r.raw, err = r.of.codec.unpack(packed, r.raw); err != nil {
		return errDamaged
	}
	r.block, r.first = block, r.from(block)
	r.values = r.values[:0]
	d := decoderOf(r.raw)
	for len(d.Rest) > 0 {
		r.values = append(r.values, d.Text())
	}
	return d.err()
}

// columnState is kept between the visits of two documents.
type columnState struct {
	silent
	of      *content
	columns map[string]*columnReader
}

// VisitDocValues implements segment.DocValueVisitable. Each value is passed in one piece.
func (c *content) VisitDocValues(
	doc uint64, fields []string, visit index.DocValueVisitor, state segment.DocVisitState,
) (segment.DocVisitState, error) {
	s, ok := state.(*columnState)
	if !ok || s.of != c {
		s = &columnState{of: c, columns: map[string]*columnReader{}}
	}
	for _, name := range fields {
		r, known := s.columns[name]
		if !known {
			var err error
			if r, err = c.column(name); err != nil {
				return s, err
			}
			s.columns[name] = r
		}
		if r == nil {
			continue
		}
		v, err := r.value(doc)
		if err != nil {
			return s, err
		}
		if len(v) > 0 {
			visit(name, v)
		}
	}
	return s, nil
}

// VisitableDocValueFields implements segment.DocValueVisitable.
func (c *content) VisitableDocValueFields() (out []string, err error) {
	for _, p := range c.dir.columns {
		out = append(out, p.name)
	}
	return out, nil
}
