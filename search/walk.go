package search

import (
	"context"
	"slices"

	index "github.com/blevesearch/bleve_index_api"
)

// A walker moves over changes in the order of the index, forward only.
type walker interface {
	// seek moves to the first change at or after doc; ok is false if there is none.
	seek(doc uint64) (at uint64, ok bool, err error)
	close()
}

// A posting walks over the changes with a term in a field.
type posting struct {
	r    index.TermFieldReader
	doc  index.TermFieldDoc
	at   uint64
	open bool // is at a change
	done bool
}

func (r reader) posting(field, t string, places bool) (*posting, error) {
	tfr, err := r.TermFieldReader(context.Background(), []byte(t), field, true, false, places)
	if err != nil {
		return nil, err
	}
	return &posting{r: tfr, done: tfr.Count() == 0}, nil
}

func (p *posting) seek(doc uint64) (uint64, bool, error) {
	if p.done {
		return 0, false, nil
	}
	if p.open && p.at >= doc {
		return p.at, true, nil
	}
	var next *index.TermFieldDoc
	var err error
	if p.open || doc > 0 {
		next, err = p.r.Advance(docID(doc), &p.doc)
	} else {
		next, err = p.r.Next(&p.doc)
	}
	if err != nil || next == nil {
		p.done = true
		return 0, false, err
	}
	p.open, p.at = true, next.ID.Value()
	return p.at, true, nil
}

// has reports whether change doc has the term.
func (p *posting) has(doc uint64) (bool, error) {
	at, ok, err := p.seek(doc)
	return ok && at == doc, err
}

func (p *posting) close() { _ = p.r.Close() }

// places returns the positions of the term in the current change, in order.
func (p *posting) places(buf []uint64) []uint64 {
	buf = buf[:0]
	for _, v := range p.doc.Vectors {
		buf = append(buf, v.Pos)
	}
	return buf
}

// allOf walks over the changes that all of its walkers have.
type allOf []walker

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
	return doc, true, nil
}

func (a allOf) close() {
	for _, w := range a {
		w.close()
	}
}

// anyOf walks over the changes that at least one of its walkers has.
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

func (s anyOf) close() { allOf(s).close() }

// A run counts consecutive words in the windows of one side.
type run struct {
	words []*posting // in the order of the phrase; a repeated word has several
	order allOf      // the same, rarest first
	buf   [2][]uint64
}

func (r reader) run(side string, p Phrase) (*run, error) {
	out := &run{}
	for _, w := range p {
		word, err := r.posting(side, term(w), true)
		if err != nil {
			out.close()
			return nil, err
		}
		out.words, out.order = append(out.words, word), append(out.order, word)
	}
	slices.SortStableFunc(out.order, func(a, b walker) int {
		return int(int64(a.(*posting).r.Count()) - int64(b.(*posting).r.Count()))
	})
	return out, nil
}

// parts splits a phrase into runs short enough to lie in one window; a short phrase is one run. Consecutive runs
// share a word, so that wherever a phrase was broken at least one run was broken too.
func (r reader) parts(side string, p Phrase) (anyOf, error) {
	var out anyOf
	for i := 0; i == 0 || i+1 < len(p); i += contextWords {
		part, err := r.run(side, p[i:min(i+contextWords+1, len(p))])
		if err != nil {
			out.close()
			return nil, err
		}
		out = append(out, part)
	}
	return out, nil
}

func (r *run) close() { r.order.close() }

func (r *run) seek(doc uint64) (uint64, bool, error) {
	for {
		at, ok, err := r.order.seek(doc)
		if err != nil || !ok || r.countHere() > 0 {
			return at, ok, err
		}
		doc = at + 1
	}
}

// count returns how often the words occur in the windows of change doc.
func (r *run) count(doc uint64) (int, error) {
	at, ok, err := r.order.seek(doc)
	if err != nil || !ok || at != doc {
		return 0, err
	}
	return r.countHere(), nil
}

// countHere counts in the change at which all postings are.
func (r *run) countHere() int {
	starts := r.words[0].places(r.buf[0])
	for i, w := range r.words[1:] {
		r.buf[1] = w.places(r.buf[1])
		starts = follow(starts, r.buf[1], uint64(i+1))
		if len(starts) == 0 {
			break
		}
	}
	r.buf[0] = starts[:0]
	return len(starts)
}

// follow keeps those starts that have a place exactly by words later. Both are sorted.
func follow(starts, places []uint64, by uint64) []uint64 {
	kept, j := starts[:0], 0
	for _, s := range starts {
		for j < len(places) && places[j] < s+by {
			j++
		}
		if j < len(places) && places[j] == s+by {
			kept = append(kept, s)
		}
	}
	return kept
}
