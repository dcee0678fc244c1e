package search

import (
	"cmp"
	"slices"

	index "github.com/blevesearch/bleve_index_api"
)

// A walker moves over documents in the order of the index, forward only.
type walker interface {
	// seek moves to the first document at or after doc; ok is false if there is none.
	seek(doc uint64) (at uint64, ok bool, err error)
	// documents estimates how many there are.
	documents() uint64
	close()
}

// A posting walks over the documents with a term in a field.
type posting struct {
	shards []shardPosting     // that the walk has not left, in order
	doc    index.TermFieldDoc // at which it is
	number uint64             // of all documents
}

func (p *posting) seek(doc uint64) (uint64, bool, error) {
	for ; len(p.shards) > 0; p.leave() {
		s := &p.shards[0]
		if doc >= s.end {
			continue
		}
		at, ok, err := s.seek(max(doc, s.first)-s.first, &p.doc)
		if err != nil || ok {
			return s.first + at, ok, err
		}
	}
	return 0, false, nil
}

// leave ends the walk over the first shard.
func (p *posting) leave() {
	_ = p.shards[0].r.Close()
	p.shards = p.shards[1:]
}

func (p *posting) documents() uint64 { return p.number }

func (p *posting) close() {
	for len(p.shards) > 0 {
		p.leave()
	}
}

// A shardPosting walks over those of one shard, with the numbers that they have there.
type shardPosting struct {
	r          index.TermFieldReader
	first, end uint64 // of the shard
	at         uint64
	open       bool // is at a document
	done       bool
}

// seek puts into found at which document it is.
func (p *shardPosting) seek(doc uint64, found *index.TermFieldDoc) (uint64, bool, error) {
	if p.done {
		return 0, false, nil
	}
	if p.open && p.at >= doc {
		return p.at, true, nil
	}
	near := !p.open && doc == 0 || p.open && doc-p.at <= nearDocuments
	for {
		var next *index.TermFieldDoc
		var err error
		if near {
			next, err = p.r.Next(found)
		} else {
			next, err = p.r.Advance(docID(doc), found)
		}
		if err != nil || next == nil {
			p.done = true
			return 0, false, err
		}
		if p.open, p.at = true, next.ID.Value(); p.at >= doc {
			return p.at, true, nil
		}
	}
}

// nearDocuments is how many documents a walk goes one by one, which costs less than to look for one of them.
const nearDocuments = 4

// these walks over a few documents, in order.
type these []uint64

func (d *these) seek(doc uint64) (uint64, bool, error) {
	for len(*d) > 0 && (*d)[0] < doc {
		*d = (*d)[1:]
	}
	if len(*d) == 0 {
		return 0, false, nil
	}
	return (*d)[0], true, nil
}

func (d *these) documents() uint64 { return uint64(len(*d)) }

func (d *these) close() {}

// allOf walks over the documents that all of its walkers have.
type allOf []walker

// rarestFirst puts the walkers with the fewest documents first, so that the others skip most of theirs.
func (a allOf) rarestFirst() {
	slices.SortStableFunc(a, func(x, y walker) int { return cmp.Compare(x.documents(), y.documents()) })
}

func (a allOf) seek(doc uint64) (uint64, bool, error) {
	for i := 0; i < len(a); {
		at, ok, err := a[i].seek(doc)
		if err != nil || !ok {
			return 0, false, err
		}
		if at > doc {
			if doc = at; i > 0 { // the walkers before this one have to catch up
				i = 0
				continue
			}
		}
		i++
	}
	return doc, len(a) > 0, nil
}

func (a allOf) documents() uint64 {
	least := uint64(0)
	for i, w := range a {
		if n := w.documents(); i == 0 || n < least {
			least = n
		}
	}
	return least
}

func (a allOf) close() {
	for _, w := range a {
		w.close()
	}
}

// anyOf walks over the documents that at least one of its walkers has.
type anyOf []walker

func (s anyOf) seek(doc uint64) (least uint64, found bool, err error) {
	for _, w := range s {
		at, ok, err := w.seek(doc)
		if err != nil {
			return 0, false, err
		}
		if ok && (!found || at < least) {
			least, found = at, true
		}
	}
	return least, found, nil
}

func (s anyOf) documents() (n uint64) {
	for _, w := range s {
		n += w.documents()
	}
	return n
}

func (s anyOf) close() { allOf(s).close() }

// eachDocument calls f with the documents of a walk, and closes it.
func eachDocument(walk walker, f func(doc uint64)) error {
	defer walk.close()
	for next := uint64(0); ; next++ {
		doc, ok, err := walk.seek(next)
		if err != nil || !ok {
			return err
		}
		f(doc)
		next = doc
	}
}

// phrase walks over the documents that have all words of a phrase in a field, in whatever order, and in the text all pairs.
// The postings of a pair in the text are those of [reader.pair].
func (r reader) phrase(field string, p Phrase) (out allOf, err error) {
	put := func(field, t string) {
		if err == nil {
			var word *posting
			if word, err = r.posting(field, t); err == nil {
				out = append(out, word)
			}
		}
	}
	if pair, ok := r.pair(field, p); ok {
		put(fieldPairs, pair)
	} else {
		for _, w := range slices.Compact(slices.Sorted(slices.Values(p))) {
			put(field, term(w))
		}
		for _, pair := range r.pairs(field, p) {
			put(fieldPairs, pair)
		}
	}
	if err != nil {
		out.close()
		return nil, err
	}
	out.rarestFirst()
	return out, nil
}

// narrowed returns a walk over those documents that are of a page, unless key is "", with the rarest walker first. It is
// to be closed even after an error.
func (r reader) narrowed(walk allOf, key string) (allOf, error) {
	if key != "" {
		docs, err := r.ofPage(key)
		if err != nil {
			return walk, err
		}
		walk = append(walk, (*these)(&docs))
	}
	walk.rarestFirst()
	return walk, nil
}
