package search

import (
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// Many words in place of one, of which word* may stand for a thousand, are on nearly every page. To look at a posting of each for
// each document, or to read all histories, would take seconds. Their postings are therefore read once and joined.

// A many is what the postings of many words tell of documents, by field.
type many struct {
	in     joined          // the field in which the words are searched
	beside [besides]joined // what is looked at beside it, empty for that field
}

// A joined holds the numbers beside the documents of some words in a field.
type joined struct {
	docs    []uint32 // in order
	ends    []uint32 // where the numbers of each end
	numbers []uint32
}

const (
	// fewWords are looked at document by document if they have many postings.
	fewWords = 8
	// mostJoined is how many postings of few words are joined, 12 bytes each.
	mostJoined = 4 << 20
)

// many reads the postings of a condition that is many words. It returns nil for few words on very many pages: to join those would take
// more memory than time is won.
func (r reader) many(c *condition) (m *many, err error) {
	if len(c.phrases) <= fewWords {
		_, n, err := r.wordPostings(c.field.indexed(), c.phrases)
		if err != nil || n > mostJoined {
			return nil, err
		}
	}
	m = &many{}
	if m.in, err = r.joined(c.field.indexed(), c.phrases); err != nil {
		return nil, err
	}
	for i, field := range besideFields {
		if field == c.field.indexed() {
			continue
		}
		if m.beside[i], err = r.joined(field, c.phrases); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// wordPostings returns the postings of phrases of one word, by segment, and how many they are.
func (r reader) wordPostings(field string, phrases []Phrase) (lists [][]segment.PostingsList, n uint64, err error) {
	lists = make([][]segment.PostingsList, len(r.segments))
	for i, s := range r.segments {
		words, err := s.Segment().Dictionary(field)
		if err != nil {
			return nil, 0, err
		}
		for _, p := range phrases {
			list, err := words.PostingsList([]byte(term(p[0])), s.Deleted(), nil)
			if err != nil {
				return nil, 0, err
			}
			lists[i] = append(lists[i], list)
			n += list.Count()
		}
	}
	return lists, n, nil
}

// joined reads the postings of phrases of one word.
func (r reader) joined(field string, phrases []Phrase) (joined, error) {
	lists, n, err := r.wordPostings(field, phrases)
	if err != nil {
		return joined{}, err
	}
	all := make([]uint64, 0, n) // documents, each with its number in the lower half
	if err := r.readPostings(lists, func(doc, frequency uint64) { all = append(all, doc<<32|frequency) }); err != nil {
		return joined{}, err
	}
	return joinedOf(all), nil
}

// readPostings calls f with the documents of [reader.wordPostings] and the frequencies there, word by word.
func (r reader) readPostings(lists [][]segment.PostingsList, f func(doc, frequency uint64)) error {
	for i := range lists {
		for _, list := range lists[i] {
			walk := list.Iterator(true, false, false, nil)
			for next, err := walk.Next(); next != nil || err != nil; next, err = walk.Next() {
				if err != nil {
					return err
				}
				f(r.starts[i]+next.Number(), next.Frequency())
			}
		}
	}
	return nil
}

// joinedOf puts documents in order.
func joinedOf(all []uint64) (j joined) {
	if len(all) == 0 {
		return j
	}
	last := slices.Max(all) >> 32
	from := make([]uint32, last+2) // where the numbers of each document begin
	for _, p := range all {
		from[p>>32+1]++
	}
	for doc := uint64(0); doc <= last; doc++ {
		if n := from[doc+1]; n > 0 {
			j.docs, j.ends = append(j.docs, uint32(doc)), append(j.ends, from[doc]+n)
		}
		from[doc+1] += from[doc]
	}
	j.numbers = make([]uint32, len(all))
	for _, p := range all {
		at := &from[p>>32]
		j.numbers[*at] = uint32(p)
		*at++
	}
	return j
}

// walk returns a walker over the documents.
func (j *joined) walk() *these {
	out := make(these, len(j.docs))
	for i, doc := range j.docs {
		out[i] = uint64(doc)
	}
	return &out
}

// A joinedWalk walks over the documents of a joined, in order.
type joinedWalk struct {
	*joined
	at int
}

// of returns the numbers of a document. Later calls are for later documents.
func (w *joinedWalk) of(doc uint64) []uint32 {
	for w.at < len(w.docs) && uint64(w.docs[w.at]) < doc {
		w.at++
	}
	if w.at == len(w.docs) || uint64(w.docs[w.at]) != doc {
		return nil
	}
	from := uint32(0)
	if w.at > 0 {
		from = w.ends[w.at-1]
	}
	return w.numbers[from:w.ends[w.at]]
}

// A manyWalk looks at the documents of a many, in order.
type manyWalk struct {
	in     joinedWalk
	beside [besides]joinedWalk
}

func (m *many) newWalk() *manyWalk {
	w := &manyWalk{in: joinedWalk{joined: &m.in}}
	for i := range m.beside {
		w.beside[i].joined = &m.beside[i]
	}
	return w
}

// many is what [glimpse.at] does for a spot of many words.
func (g *glimpse) many(doc uint64, s *spot, rows int) {
	for _, n := range s.many.beside[besideTitle].of(doc) {
		g.title += inTitle(int(n))
		g.exact = g.exact && !severalTitles(int(n))
	}
	total := func(beside int) (sum int) {
		for _, n := range s.many.beside[beside].of(doc) {
			sum += int(n)
		}
		return sum
	}
	g.url += total(besideURL)
	g.heading += total(besideHeading)
	g.furniture += total(besideFurniture)
	if !g.known {
		return
	}
	for _, n := range s.many.beside[besideText].of(doc) {
		g.text(int(n), rows)
	}
	for _, n := range s.many.in.of(doc) {
		switch s.field {
		case fieldTitle:
			g.title += inTitle(int(n))
			g.exact = g.exact && !severalTitles(int(n))
		case fieldURL:
			g.url += int(n)
		}
		g.add(int(n), s, rows)
	}
}
