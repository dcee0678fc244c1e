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

// A reader is a snapshot of the index. It numbers the documents of all shards consecutively.
type reader struct {
	shards   []*snapshot               // by number, nil where no shard was put yet
	segments []*scorch.SegmentSnapshot // of all
	starts   []uint64                  // the number of the first document of each segment
	paired   func(w string) bool       // see [Index.Paired]
}

// A snapshot is a snapshot of one shard.
type snapshot struct {
	*scorch.IndexSnapshot
	first, end uint64 // the numbers of its documents, end not included
}

func newReader(shards []*shard) (r reader, err error) {
	r.shards = make([]*snapshot, len(shards))
	next := uint64(0)
	for i, of := range shards {
		if of == nil {
			continue
		}
		opened, err := of.store.Reader()
		if err != nil {
			r.close()
			return reader{}, err
		}
		s, ok := opened.(*scorch.IndexSnapshot)
		if !ok {
			r.close()
			return reader{}, fmt.Errorf("a reader of type %T", opened)
		}
		r.shards[i] = &snapshot{IndexSnapshot: s, first: next}
		for _, segment := range s.Segments() {
			r.segments, r.starts = append(r.segments, segment), append(r.starts, next)
			next += uint64(segment.FullSize())
		}
		r.shards[i].end = next
	}
	return r, nil
}

func (r reader) close() {
	for _, s := range r.shards {
		if s != nil {
			_ = s.Close()
		}
	}
}

// each calls f with each shard that was put, until f fails.
func (r reader) each(f func(*snapshot) error) error {
	for _, s := range r.shards {
		if s == nil {
			continue
		}
		if err := f(s); err != nil {
			return err
		}
	}
	return nil
}

// of returns the shard of a page, nil if it was not put yet.
func (r reader) of(key string) *snapshot { return r.shards[ShardOf(key, len(r.shards))] }

// with returns the shard that has a document.
func (r reader) with(doc uint64) *snapshot {
	for _, s := range r.shards {
		if s != nil && doc < s.end {
			return s
		}
	}
	return nil
}

// segment returns the segment of a document, and its number there.
func (r reader) segment(doc uint64) (*scorch.SegmentSnapshot, uint64) {
	i := sort.Search(len(r.starts), func(i int) bool { return r.starts[i] > doc }) - 1
	return r.segments[i], doc - r.starts[i]
}

// id returns the ID of a document.
func (r reader) id(doc uint64) (string, error) {
	segment, local := r.segment(doc)
	id, err := segment.DocID(local)
	return string(id), err
}

// size returns the number of documents, deleted ones included.
func (r reader) size() (n uint64) {
	for _, s := range r.shards {
		if s != nil {
			n = max(n, s.end)
		}
	}
	return n
}

// documents returns the number of documents that are not deleted.
func (r reader) documents() (n uint64, err error) {
	err = r.each(func(s *snapshot) error {
		some, err := s.DocCount()
		n += some
		return err
	})
	return n, err
}

// number returns the number of the document with an ID, which belongs to the page key. ok is false if the index doesn't have it.
func (r reader) number(key, id string) (doc uint64, ok bool, err error) {
	s := r.of(key)
	if s == nil {
		return 0, false, nil
	}
	found, err := s.InternalID(id)
	if err != nil || found == nil {
		return 0, false, err
	}
	return s.first + found.Value(), true, nil
}

// live reports whether the index has a page with this signature, complete.
func (r reader) live(key string, signature uint64) (bool, error) {
	_, ok, err := r.number(key, pageDocID(key, signature))
	return ok, err
}

// ids returns the IDs of a page's documents of a kind, pageID or partID. Some may be deleted.
func (r reader) ids(kind byte, key string) (out []string, err error) {
	s := r.of(key)
	if s == nil {
		return nil, nil
	}
	dict, err := s.FieldDictPrefix("_id", docPrefix(kind, key))
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
			doc, ok, err := r.number(key, id)
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
	p := &posting{}
	err := r.each(func(s *snapshot) error {
		tfr, err := s.TermFieldReader(context.Background(), []byte(t), field, true, false, false)
		if err != nil {
			return err
		}
		n := tfr.Count()
		if n == 0 {
			return tfr.Close()
		}
		p.number += n
		p.shards = append(p.shards, shardPosting{r: tfr, first: s.first, end: s.end})
		return nil
	})
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
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

// A columnReader reads the values of a column, best in the order of the documents. It is not safe for concurrent use.
type columnReader struct {
	reader
	name string
	in   *snapshot // the shard that values were last read from
	from index.DocValueReader
}

// visit calls f with the value of a document, if it has one. The value is valid until f returns.
func (c *columnReader) visit(doc uint64, f func([]byte)) (err error) {
	if c.in == nil || doc < c.in.first || doc >= c.in.end {
		if c.in = c.with(doc); c.in == nil {
			return nil
		}
		if c.from, err = c.in.DocValueReader([]string{c.name}); err != nil {
			c.in = nil
			return err
		}
	}
	return c.from.VisitDocValues(docID(doc-c.in.first), func(_ string, b []byte) { f(b) })
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
	err = r.each(func(s *snapshot) error {
		some, err := s.totals()
		t.add(some, 1)
		return err
	})
	return t, err
}

func (s *snapshot) totals() (t totals, err error) {
	b, err := s.GetInternal([]byte(totalsKey))
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

// settled returns the settled state of an index with one shard.
func (r reader) settled() (s settled, err error) {
	if len(r.shards) != 1 {
		return s, errReadOnly
	}
	b, err := r.shards[0].GetInternal([]byte(settledKey))
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
