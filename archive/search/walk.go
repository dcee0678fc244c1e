package search

import (
	"cmp"
	"slices"

	index "github.com/blevesearch/bleve_index_api"
)

// A walker iterates over documents in the order of the index, forward only.
type walker interface {
	// seek moves to the first document at or after doc; ok is false if there is none.
	seek(doc uint64) (at uint64, ok bool, err error)
	// documents estimates the number of documents.
	documents() uint64
	close()
}

// A posting iterates over the documents with a term in a field.
type posting struct {
	reader index.TermFieldReader
	doc    index.TermFieldDoc // the current document
	at     uint64
	open   bool // the iterator is at a document
	done   bool
}

func (p *posting) documents() uint64 { return p.reader.Count() }

func (p *posting) close() { _ = p.reader.Close() }

func (p *posting) seek(doc uint64) (uint64, bool, error) {
	if p.done {
		return 0, false, nil
	}
	if p.open && p.at >= doc {
		return p.at, true, nil
	}
	near := doc-p.at <= nearDocuments
	for {
		var next *index.TermFieldDoc
		var err error
		if near {
			next, err = p.reader.Next(&p.doc)
		} else {
			next, err = p.reader.Advance(docID(doc), &p.doc)
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

// nearDocuments is the number of documents that are skipped one by one before the iterator seeks.
const nearDocuments = 4

// documentList iterates over a list of documents, in order.
type documentList []uint64

func (d *documentList) seek(doc uint64) (uint64, bool, error) {
	for len(*d) > 0 && (*d)[0] < doc {
		*d = (*d)[1:]
	}
	if len(*d) == 0 {
		return 0, false, nil
	}
	return (*d)[0], true, nil
}

func (d *documentList) documents() uint64 { return uint64(len(*d)) }

func (d *documentList) close() {}

// allOf iterates over the documents that all its walkers have.
type allOf []walker

// rarestFirst sorts the walkers by their number of documents, fewest first, so that the others skip most of theirs.
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
			if doc = at; i > 0 { // earlier walkers have to catch up
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

// anyOf iterates over the documents that at least one of its walkers has.
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

// eachDocument calls f with each document of a walker and closes it.
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

// phrase returns walkers over the documents with each word of a phrase in a field and, in the text, each pair. For a pair of common words
// in the text it is the posting of [reader.pair] alone.
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

// withinPage restricts walk to the documents of the page key, unless key is "", and puts the rarest walker first. Close the result, even
// after an error.
func (r reader) withinPage(walk allOf, key string) (allOf, error) {
	if key != "" {
		docs, err := r.ofPage(key)
		if err != nil {
			return walk, err
		}
		walk = append(walk, (*documentList)(&docs))
	}
	walk.rarestFirst()
	return walk, nil
}
