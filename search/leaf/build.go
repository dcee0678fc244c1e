package leaf

import (
	"bytes"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
)

// Terms is a field whose terms are known. It yields each once, with a number of at least 0.
type Terms interface{ Terms() iter.Seq2[string, int] }

// Column is a field whose value is in a column.
type Column interface{ Column() []byte }

// A fieldBuilder collects the terms of a field.
type fieldBuilder struct {
	numbers map[string]uint32
	terms   []string // by number
	counts  []int    // by number: the documents that have it
	seen    [][]seen // in the order of the documents, in pieces of seenPiece, so that none is copied when there are more
}

const seenPiece = 1 << 14

type seen struct {
	term uint32
	posting
}

func (f *fieldBuilder) add(t string, p posting) {
	n, ok := f.numbers[t]
	if !ok {
		n = uint32(len(f.terms))
		f.numbers[t] = n
		f.terms, f.counts = append(f.terms, t), append(f.counts, 0)
	}
	f.counts[n]++
	last := len(f.seen) - 1
	if last < 0 || len(f.seen[last]) == seenPiece {
		f.seen = append(f.seen, nil)
		last++
	}
	f.seen[last] = append(f.seen[last], seen{n, p})
}

// postings returns the documents of each term, by number.
func (f *fieldBuilder) postings() [][]posting {
	all := make([]posting, f.postingsSeen())
	out := make([][]posting, len(f.terms))
	from := 0
	for n, count := range f.counts {
		out[n] = all[from : from : from+count]
		from += count
	}
	for _, piece := range f.seen {
		for _, s := range piece {
			out[s.term] = append(out[s.term], s.posting)
		}
	}
	return out
}

// postingsSeen returns how many there are in all.
func (f *fieldBuilder) postingsSeen() int {
	if len(f.seen) == 0 {
		return 0
	}
	last := len(f.seen) - 1
	return last*seenPiece + len(f.seen[last])
}

// sorted returns the numbers of the terms in the order of their bytes.
func (f *fieldBuilder) sorted() []uint32 {
	out := make([]uint32, len(f.terms))
	for i := range out {
		out[i] = uint32(i)
	}
	slices.SortFunc(out, func(a, b uint32) int {
		if f.terms[a] < f.terms[b] {
			return -1
		}
		return 1
	})
	return out
}

// A builder makes the content of a file from documents.
type builder struct {
	documents []index.Document
	fields    map[string]*fieldBuilder
	columns   map[string][][]byte
}

// build returns the content of a file. The documents are in the order of their IDs there, so that those that have much in
// common are near each other.
func build(documents []index.Document, codec *codec) (*content, error) {
	documents = slices.Clone(documents)
	slices.SortFunc(documents, func(a, b index.Document) int { return strings.Compare(a.ID(), b.ID()) })
	b := &builder{documents: documents, fields: map[string]*fieldBuilder{}, columns: map[string][][]byte{}}
	for i, doc := range documents {
		b.field(idField).add(doc.ID(), posting{uint32(i), 1})
		doc.VisitFields(func(f index.Field) { b.take(uint32(i), f) })
	}
	var out bytes.Buffer
	if err := b.write(&writer{out: &out, codec: codec}); err != nil {
		return nil, err
	}
	return readContent(out.Bytes(), codec)
}

func (b *builder) field(name string) *fieldBuilder {
	f := b.fields[name]
	if f == nil {
		f = &fieldBuilder{numbers: map[string]uint32{}}
		b.fields[name] = f
	}
	return f
}

// take takes a field of a document.
func (b *builder) take(doc uint32, f index.Field) {
	name := f.Name()
	if name == idField {
		return
	}
	if t, ok := f.(Terms); ok {
		to := b.field(name)
		for t, n := range t.Terms() {
			to.add(t, posting{doc, uint32(min(n, math.MaxUint32))})
		}
	}
	if c, ok := f.(Column); ok {
		if b.columns[name] == nil {
			b.columns[name] = make([][]byte, len(b.documents))
		}
		b.columns[name][doc] = c.Column()
	}
}

func (b *builder) write(w *writer) error {
	w.dir.documents = uint64(len(b.documents))
	for _, name := range slices.Sorted(maps.Keys(b.columns)) {
		c := w.column(name)
		for _, v := range b.columns[name] {
			c.add(v)
		}
		c.end()
	}
	ids := make([]uint64, len(b.documents))
	for _, name := range slices.Sorted(maps.Keys(b.fields)) {
		f, to := b.fields[name], w.field(name)
		postings := f.postings()
		for i, n := range f.sorted() {
			to.term([]byte(f.terms[n]), postings[n])
			if name == idField {
				ids[postings[n][0].doc] = uint64(i)
			}
		}
		to.end()
	}
	return w.end(ids)
}
