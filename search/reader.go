package search

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/varve-archive/varve/search/history"
)

// A reader is a snapshot of the index.
type reader struct {
	*scorch.IndexSnapshot
	starts []uint64            // the number of the first document of each segment
	paired func(w string) bool // see [Index.Paired]
}

func newReader(r index.IndexReader) (reader, error) {
	s, ok := r.(*scorch.IndexSnapshot)
	if !ok {
		return reader{}, fmt.Errorf("a reader of type %T", r)
	}
	out := reader{IndexSnapshot: s}
	next := uint64(0)
	for _, segment := range s.Segments() {
		out.starts = append(out.starts, next)
		next += uint64(segment.FullSize())
	}
	return out, nil
}

// segment returns the segment of a document, and its number there.
func (r reader) segment(doc uint64) (*scorch.SegmentSnapshot, uint64) {
	i := sort.Search(len(r.starts), func(i int) bool { return r.starts[i] > doc }) - 1
	return r.Segments()[i], doc - r.starts[i]
}

// id returns the ID of a document.
func (r reader) id(doc uint64) (string, error) {
	segment, local := r.segment(doc)
	id, err := segment.DocID(local)
	return string(id), err
}

// live reports whether a document is in the index.
func (r reader) live(id string) (bool, error) {
	doc, err := r.InternalID(id)
	return doc != nil, err
}

// ids returns the IDs that begin with prefix. It may name documents that are deleted.
func (r reader) ids(prefix []byte) ([]string, error) {
	var out []string
	err := r.terms("_id", prefix, func(e *index.DictEntry) bool {
		out = append(out, string([]byte(e.Term)))
		return true
	})
	return out, err
}

// terms calls f with the terms of a field that begin with prefix, in order, until f returns false.
func (r reader) terms(field string, prefix []byte, f func(*index.DictEntry) bool) error {
	dict, err := r.FieldDictPrefix(field, prefix)
	if err != nil {
		return err
	}
	defer dict.Close()
	for {
		e, err := dict.Next()
		if err != nil || e == nil || !f(e) {
			return err
		}
	}
}

// ofPage returns the numbers of a page's documents, in the order of the index.
func (r reader) ofPage(key string) ([]uint64, error) {
	var out []uint64
	for _, kind := range []byte{pageID, partID} {
		ids, err := r.ids(docPrefix(kind, key))
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			doc, err := r.InternalID(id)
			if err != nil {
				return nil, err
			}
			if doc != nil {
				out = append(out, doc.Value())
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

func docID(doc uint64) index.IndexInternalID { return index.NewIndexInternalID(nil, doc) }

// posting walks over the documents with a term in a field.
func (r reader) posting(field, t string) (*posting, error) {
	tfr, err := r.TermFieldReader(context.Background(), []byte(t), field, true, false, false)
	if err != nil {
		return nil, err
	}
	return &posting{r: tfr, done: tfr.Count() == 0}, nil
}

// count returns the number of documents with a term in a field.
func (r reader) count(field, t string) (uint64, error) {
	p, err := r.posting(field, t)
	if err != nil {
		return 0, err
	}
	defer p.close()
	return p.r.Count(), nil
}

// totalsKey is where the index keeps the sums of [totals].
var totalsKey = []byte("totals")

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
	b, err := r.GetInternal(totalsKey)
	for _, n := range []*int64{&t.documents, &t.versions, &t.words} {
		v, size := binary.Varint(b)
		if size <= 0 {
			return t, err
		}
		*n, b = v, b[size:]
	}
	return t, err
}

// settledKey is where the index keeps what the last run left that left nothing to do.
var settledKey = []byte("settled")

// A settled is a state of the archive with which the index was up to date, and the number of its pages then.
type settled struct {
	state string
	pages int64
}

func (s settled) pack() []byte { return append(binary.AppendVarint(nil, s.pages), s.state...) }

func (r reader) settled() (s settled, err error) {
	b, err := r.GetInternal(settledKey)
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
