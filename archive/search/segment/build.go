package segment

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
	"github.com/zeebo/xxh3"
)

// Terms is a field of terms. It yields each term once, with a frequency of at least 0.
type Terms interface{ Terms() iter.Seq2[string, int] }

// Column is a field that is stored in a column.
type Column interface{ Column() []byte }

// A fieldBuilder collects the terms of a field.
type fieldBuilder struct {
	numbers numbers
	terms   []string // by number
	counts  []int    // by number: the documents that have it
	seen    [][]seen // in the order of the documents; in pieces of seenPiece, so that growing copies nothing
}

const seenPiece = 1 << 14

type seen struct {
	term uint32
	posting
}

func (f *fieldBuilder) add(t string, p posting) {
	n, ok := f.numbers.of(t, f.terms)
	if !ok {
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

// postings returns the postings of each term, by number.
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

// postingsSeen returns the number of all postings.
func (f *fieldBuilder) postingsSeen() int {
	if len(f.seen) == 0 {
		return 0
	}
	last := len(f.seen) - 1
	return last*seenPiece + len(f.seen[last])
}

// sorted returns the numbers of the terms, in the order of the terms' bytes. It compares the first bytes as one integer, because most terms
// differ there.
func (f *fieldBuilder) sorted() []uint32 {
	type key struct {
		first  uint64
		number uint32
	}
	keys := make([]key, len(f.terms))
	for i, t := range f.terms {
		var first [8]byte
		copy(first[:], t)
		keys[i] = key{binary.BigEndian.Uint64(first[:]), uint32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if c := cmp.Compare(a.first, b.first); c != 0 {
			return c
		}
		return strings.Compare(f.terms[a.number], f.terms[b.number])
	})
	out := make([]uint32, len(keys))
	for i := range keys {
		out[i] = keys[i].number
	}
	return out
}

// numbers is a hash table that numbers terms in the order of their first occurrence. A map would store each term a second time, and is
// slower because a batch has more terms than fit into the processor's caches.
type numbers struct {
	slots []numberSlot // at least half are empty; their number is a power of two
	used  int
}

// A numberSlot has a part of a term's hash, and its number plus one; 0 is empty.
type numberSlot struct{ hash, next uint32 }

// of returns the number of a term. ok is false if the term is new; the caller must then append it to terms.
func (n *numbers) of(t string, terms []string) (number uint32, ok bool) {
	if 2*n.used >= len(n.slots) {
		n.grow()
	}
	hash := uint32(xxh3.HashString(t))
	mask := uint32(len(n.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &n.slots[i]
		if s.next == 0 {
			n.used++
			*s = numberSlot{hash, uint32(n.used)}
			return s.next - 1, false
		}
		if s.hash == hash && terms[s.next-1] == t {
			return s.next - 1, true
		}
	}
}

func (n *numbers) grow() {
	old := n.slots
	n.slots = make([]numberSlot, max(64, 2*len(old)))
	mask := uint32(len(n.slots) - 1)
	for _, s := range old {
		if s.next == 0 {
			continue
		}
		i := s.hash & mask
		for n.slots[i].next != 0 {
			i = (i + 1) & mask
		}
		n.slots[i] = s
	}
}

// A builder builds the content of a file from documents.
type builder struct {
	documents []index.Document
	fields    map[string]*fieldBuilder
	columns   map[string][][]byte
}

// build returns the content of a file with documents. It sorts them by ID, so that similar documents are near each other.
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
		f = &fieldBuilder{}
		b.fields[name] = f
	}
	return f
}

// take adds a field of a document.
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
