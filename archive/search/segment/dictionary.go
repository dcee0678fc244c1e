package segment

import (
	"bytes"
	"math"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/packed"
)

// A dictionary has the terms of a field and where their postings are.
type dictionary struct {
	terms     uint64
	postings  []byte
	dict      []byte
	blocks    table // offset of each block, and of the end
	documents uint64
}

func readDictionary(file []byte, p *fieldPlace, documents uint64) (d *dictionary, err error) {
	d = &dictionary{terms: p.terms, documents: documents}
	if d.postings, err = between(file, p.postings, p.dictionary); err != nil {
		return nil, err
	}
	if d.dict, err = between(file, p.dictionary, p.blocks); err != nil {
		return nil, err
	}
	if p.terms > uint64(len(d.dict)) {
		return nil, errDamaged
	}
	d.blocks, err = newTable(file, p.blocks, (p.terms+dictionaryBlock-1)/dictionaryBlock+1)
	return d, err
}

// An entry is what a dictionary stores for a term.
type entry struct {
	count    uint64
	only     posting // the only posting, if count is 1
	at, size uint64  // place of the postings otherwise
}

// A cursor walks over a dictionary.
type cursor struct {
	*dictionary
	rest   decoder // of the block
	number uint64  // of the next term
	term   []byte
	shared int // a length that the term is known to share with the previous one
	at     uint64
	entry
}

// block goes to the beginning of block n.
func (c *cursor) block(n int) {
	c.number = uint64(n) * dictionaryBlock
	if c.number >= c.terms {
		c.rest = decoder{}
		return
	}
	b, err := between(c.dict, c.blocks.at(n), c.blocks.at(n+1))
	c.rest = decoder{packed.Reader{Rest: b, Failed: err != nil}}
	c.at, c.term = c.rest.Uint(), c.term[:0]
}

// next reads the next term. It returns false at the end, or if the file is damaged.
func (c *cursor) next() bool {
	if c.number >= c.terms || c.rest.Failed {
		return false
	}
	if c.number%dictionaryBlock == 0 {
		if c.block(int(c.number / dictionaryBlock)); c.rest.Failed {
			return false
		}
	}
	shared, more := c.split()
	if shared > uint64(len(c.term)) {
		c.rest.Fail()
		return false
	}
	c.number++
	c.shared = int(shared)
	c.term = append(c.term[:shared], more...)
	c.entry = c.said()
	return !c.rest.Failed
}

// split decodes a term relative to the previous one; see [appendSplit].
func (c *cursor) split() (shared uint64, more []byte) {
	if b := c.rest.byte(); b != 0 {
		return uint64(b & 15), c.rest.Bytes(uint64(b >> 4))
	}
	return c.rest.Uint(), c.rest.Text()
}

// said decodes the entry of a term.
func (c *cursor) said() (e entry) {
	switch e.count = c.rest.Uint(); {
	case e.count > 1:
		e.at, e.size = c.at, c.rest.Uint()
		c.at += e.size
	default:
		doc, number := c.rest.Uint(), uint64(1)
		if e.count == 1 {
			number = c.rest.Uint()
		}
		if doc >= c.documents || number > math.MaxUint32 {
			c.rest.Fail()
		}
		e.count, e.only = 1, posting{uint32(doc), uint32(number)}
	}
	if e.count > c.documents {
		c.rest.Fail()
	}
	return e
}

// seek reads the first term that isn't less than t.
func (c *cursor) seek(t []byte) bool {
	n := sort.Search(c.blocks.len()-1, func(i int) bool {
		c.block(i)
		_, first := c.split()
		return c.rest.Failed || bytes.Compare(first, t) > 0
	})
	c.block(max(n-1, 0))
	for c.next() {
		if bytes.Compare(c.term, t) >= 0 {
			c.shared = 0
			return true
		}
	}
	return false
}

// find returns the entry of a term.
func (d *dictionary) find(t []byte) (e entry, ok bool, err error) {
	c := cursor{dictionary: d}
	ok = c.seek(t) && bytes.Equal(c.term, t)
	return c.entry, ok, c.rest.err()
}

// list returns the postings of a term.
func (d *dictionary) list(e entry, except *roaring.Bitmap) (*list, error) {
	l := &list{entry: e, documents: d.documents, except: except}
	if e.count < 2 {
		return l, nil
	}
	var err error
	l.data, err = between(d.postings, e.at, e.at+e.size)
	return l, err
}

// PostingsList implements segment.TermDictionary.
func (d *dictionary) PostingsList(t []byte, except *roaring.Bitmap, _ segment.PostingsList) (segment.PostingsList, error) {
	e, ok, err := d.find(t)
	if err != nil {
		return nil, err
	}
	if !ok {
		return &list{}, nil
	}
	return d.list(e, except)
}

// Contains implements segment.TermDictionary.
func (d *dictionary) Contains(t []byte) (bool, error) {
	_, ok, err := d.find(t)
	return ok, err
}

// Cardinality implements segment.TermDictionary.
func (d *dictionary) Cardinality() int { return int(d.terms) }

// AutomatonIterator implements segment.TermDictionary.
func (d *dictionary) AutomatonIterator(a segment.Automaton, from, to []byte) segment.DictionaryIterator {
	w := &walk{cursor: cursor{dictionary: d}, to: to}
	if a != nil {
		w.automaton, w.states = a, []int{a.Start()}
	}
	w.more = w.seek(from)
	return w
}

// A walk iterates over the terms in a range that an automaton accepts.
type walk struct {
	cursor
	to        []byte
	more      bool // the cursor is at a term that was not tested yet
	automaton segment.Automaton
	states    []int // automaton states after each byte of the previous term, up to the first that can't match
	out       index.DictEntry
}

// Next implements segment.DictionaryIterator. The entry is valid until the next call.
func (w *walk) Next() (*index.DictEntry, error) {
	for w.more && (w.to == nil || bytes.Compare(w.term, w.to) < 0) {
		matches := w.matches()
		w.out = index.DictEntry{Term: string(w.term), Count: w.count}
		w.move()
		if matches {
			return &w.out, nil
		}
	}
	return nil, w.rest.err()
}

// matches runs the automaton over the term, starting where the term differs from the previous one.
func (w *walk) matches() bool {
	if w.automaton == nil {
		return true
	}
	w.states = w.states[:min(w.shared+1, len(w.states))]
	for i := len(w.states) - 1; i < len(w.term); i++ {
		next := w.automaton.Accept(w.states[i], w.term[i])
		if !w.automaton.CanMatch(next) {
			return false
		}
		w.states = append(w.states, next)
	}
	return w.automaton.IsMatch(w.states[len(w.term)])
}

// nearTerms is the number of terms that a walk reads one by one before it seeks instead.
const nearTerms = 2 * dictionaryBlock

// move goes to the next term. If the automaton rejected a beginning of the current term, it skips all terms with that beginning.
func (w *walk) move() {
	dead := 0 // length of the beginning that was rejected
	if w.automaton != nil && len(w.states) <= len(w.term) {
		dead = len(w.states)
	}
	w.more = w.next()
	if dead == 0 {
		return
	}
	for n := 0; w.more && w.shared >= dead; w.more = w.next() {
		if n++; n == nearTerms {
			next := kv.Behind(w.term[:dead])
			w.more = next != nil && w.seek(next)
			return
		}
	}
}
