package search

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/varve-archive/varve/archive/search/history"
)

// A reader is a snapshot of the index.
type reader struct {
	*scorch.IndexSnapshot
	segments []*scorch.SegmentSnapshot
	starts   []uint64            // the number of the first document of each segment
	size     uint64              // documents, deleted ones included
	paired   func(w string) bool // see [Index.Paired]
}

func newReader(of index.Index) (r reader, err error) {
	opened, err := of.Reader()
	if err != nil {
		return r, err
	}
	s, ok := opened.(*scorch.IndexSnapshot)
	if !ok {
		return r, fmt.Errorf("a reader of type %T", opened)
	}
	r.IndexSnapshot, r.segments = s, s.Segments()
	for _, segment := range r.segments {
		r.starts = append(r.starts, r.size)
		r.size += uint64(segment.FullSize())
	}
	return r, nil
}

func (r reader) close() { _ = r.Close() }

// segment returns the segment of a document, and its number there.
func (r reader) segment(doc uint64) (*scorch.SegmentSnapshot, uint64) {
	i := sort.Search(len(r.starts), func(i int) bool { return r.starts[i] > doc }) - 1
	return r.segments[i], doc - r.starts[i]
}

func (r reader) id(doc uint64) (string, error) {
	segment, local := r.segment(doc)
	id, err := segment.DocID(local)
	return string(id), err
}

// number returns the number of the document with an ID. ok is false if the index doesn't have it.
func (r reader) number(id string) (doc uint64, ok bool, err error) {
	found, err := r.InternalID(id)
	if err != nil || found == nil {
		return 0, false, err
	}
	return found.Value(), true, nil
}

// live reports whether the index has a page with this signature, complete.
func (r reader) live(key string, signature uint64) (bool, error) {
	_, ok, err := r.number(pageDocID(key, signature))
	return ok, err
}

// ids returns the IDs of a page's documents of a kind, pageID or partID. Some may be deleted.
func (r reader) ids(kind byte, key string) (out []string, err error) {
	dict, err := r.FieldDictPrefix("_id", docPrefix(kind, key))
	if err != nil {
		return nil, err
	}
	return out, eachTerm(dict, func(e *index.DictEntry) bool {
		out = append(out, string([]byte(e.Term)))
		return true
	})
}

// ofPage returns the numbers of a page's documents, in the order of the index.
func (r reader) ofPage(key string) (out []uint64, err error) {
	for _, kind := range []byte{pageID, partID} {
		ids, err := r.ids(kind, key)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			doc, ok, err := r.number(id)
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, doc)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

func docID(doc uint64) index.IndexInternalID { return index.NewIndexInternalID(nil, doc) }

// posting walks over the documents with a term in a field.
func (r reader) posting(field, t string) (*posting, error) {
	of, err := r.TermFieldReader(context.Background(), []byte(t), field, true, false, false)
	if err != nil {
		return nil, err
	}
	return &posting{reader: of}, nil
}

// count returns the number of documents with a term in a field.
func (r reader) count(field, t string) (uint64, error) {
	p, err := r.posting(field, t)
	if err != nil {
		return 0, err
	}
	defer p.close()
	return p.documents(), nil
}

// column calls f with the value of a document in a column, if it has one. The value is valid until f returns.
func (r reader) column(name string, doc uint64, f func([]byte)) error {
	part, local := r.segment(doc)
	return part.VisitDocument(local, func(of string, _ byte, value []byte, _ []uint64) bool {
		if of == name {
			f(value)
		}
		return of != name
	})
}

// totalsKey is the key of the [totals] in the index.
const totalsKey = "totals"

// totals are sums over the documents of the index.
type totals struct{ documents, versions, words int64 }

func (t *totals) add(o totals, by int64) {
	t.documents += by * o.documents
	t.versions += by * o.versions
	t.words += by * o.words
}

func totalsOf(rows []history.Row) totals {
	t := totals{documents: 1}
	for i := range rows {
		if r := &rows[i]; !r.Carried && r.Words > 0 {
			t.versions++
			t.words += int64(r.Words)
		}
	}
	return t
}

func (t totals) pack() []byte {
	b := binary.AppendVarint(nil, t.documents)
	return binary.AppendVarint(binary.AppendVarint(b, t.versions), t.words)
}

func (r reader) totals() (t totals, err error) {
	b, err := r.GetInternal([]byte(totalsKey))
	for _, n := range []*int64{&t.documents, &t.versions, &t.words} {
		v, size := binary.Varint(b)
		if size <= 0 {
			return t, err
		}
		*n, b = v, b[size:]
	}
	return t, err
}

// settledKey is the key of the [settled] state in the index.
const settledKey = "settled"

// A settled is the state of the archive after the last complete update, and the number of pages then.
type settled struct {
	state string
	pages int64
}

func (s settled) pack() []byte { return append(binary.AppendVarint(nil, s.pages), s.state...) }

func (r reader) settled() (s settled, err error) {
	b, err := r.GetInternal([]byte(settledKey))
	pages, size := binary.Varint(b)
	if size <= 0 {
		return s, err
	}
	return settled{string(b[size:]), pages}, err
}

func (r reader) statistics() (s Statistics, err error) {
	t, err := r.totals()
	s.Documents = int(t.documents)
	if t.versions > 0 {
		s.MeanWords = float64(t.words) / float64(t.versions)
	}
	return s, err
}
