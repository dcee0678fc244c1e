package search

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Terms of fieldNamed begin with the name of a field and 0. What follows is one of:
//
//	w WORD              a word of a value
//	n 8 bytes           the value as a number of its type, see [sortable]
const (
	namedWord   = "\x00w"
	namedNumber = "\x00n"
)

// named adds the terms of a version's values.
func (b *pageBuilder) named(f *field, values fields.Values) {
	for name, list := range values {
		column, known := b.fields.Column(name)
		if !known {
			continue // the template was removed
		}
		for _, v := range list {
			if n, ok := column.Type.Order(v); ok {
				f.add(name + namedNumber + sortable(n))
			}
			for _, w := range query.AddressWords(v) {
				f.add(name + namedWord + term(w))
			}
		}
	}
}

// sortable encodes a number in 8 bytes whose order is that of the numbers.
func sortable(n float64) string {
	bits := math.Float64bits(n)
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return string(binary.BigEndian.AppendUint64(nil, bits))
}

// A Range is a range of numbers, or of dates as Unix times in seconds, both ends included.
type Range struct{ From, To float64 }

func (r *Range) has(n float64) bool { return n >= r.From && n <= r.To }

// namedWalk returns a walker over the documents in which some version may have a value that the clause matches. For phrases, it finds
// documents with all their words.
func (r reader) namedWalk(c *Clause) (walker, error) {
	if c.Numbers != nil {
		docs, err := r.numbered(c.Name, c.Numbers)
		return (*documentList)(&docs), err
	}
	var any anyOf
	for _, phrase := range c.Any {
		var all allOf
		for _, w := range phrase {
			p, err := r.posting(fieldNamed, c.Name+namedWord+term(w))
			if err != nil {
				all.close()
				any.close()
				return nil, err
			}
			all = append(all, p)
		}
		any = append(any, all)
	}
	return any, nil
}

// numbered returns the documents with a value in a range.
func (r reader) numbered(name string, within *Range) ([]uint64, error) {
	prefix := name + namedNumber
	dict, err := r.FieldDictRange(fieldNamed, []byte(prefix+sortable(within.From)), []byte(prefix+sortable(within.To)))
	if err != nil {
		return nil, err
	}
	defer dict.Close()
	var docs []uint64
	for {
		e, err := dict.Next()
		if err != nil || e == nil {
			slices.Sort(docs)
			return slices.Compact(docs), err
		}
		p, err := r.posting(fieldNamed, e.Term)
		if err != nil {
			return nil, err
		}
		if err := eachDocument(p, func(doc uint64) { docs = append(docs, doc) }); err != nil {
			return nil, err
		}
	}
}

// inValues returns how many values the condition matches.
func (c *condition) inValues(values fields.Values) (n int) {
	for _, v := range values[c.name] {
		if c.numbers != nil {
			if place, ok := c.column.Type.Order(v); ok && c.numbers.has(place) {
				n++
			}
			continue
		}
		n += c.in(query.AddressWords(v))
	}
	return n
}

// Columns returns the fields of the templates.
func (x *Index) Columns() []fields.Column { return x.Fields().Columns() }

// errNoColumn says that a request names a field that no template has.
const errNoColumn = sentinel.Error("search: no template has this field")
