package search

import (
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// word* may expand to a thousand words, which are on nearly every page. To look at a posting of each for each document, or to read all
// histories, would take seconds. Their postings are therefore read once and merged.

// A mergedPostings has the merged postings of many words, by field.
type mergedPostings struct {
	in     mergedList          // of the field in which the words are searched
	beside [besides]mergedList // of the other fields that count for a score; empty for that field
}

// A mergedList has the documents of some words in a field, with the frequency of each word there.
type mergedList struct {
	docs    []uint32 // in order
	ends    []uint32 // by document: the end of its frequencies in numbers
	numbers []uint32
}

const (
	// fewWords is the number of words up to which postings are joined only if they are few. Otherwise they are read document by document.
	fewWords = 8
	// maxJoined is the number of postings up to which those of few words are joined. Each takes 12 bytes.
	maxJoined = 4 << 20
)

// mergePostings reads and merges the postings of a condition for which isMany holds. It returns nil for few words on very many pages, where
// joining costs more memory than it saves time.
func (r reader) mergePostings(c *condition) (m *mergedPostings, err error) {
	if len(c.phrases) <= fewWords {
		_, n, err := r.wordPostings(c.field.indexed(), c.phrases)
		if err != nil || n > maxJoined {
			return nil, err
		}
	}
	m = &mergedPostings{}
	if m.in, err = r.mergeField(c.field.indexed(), c.phrases); err != nil {
		return nil, err
	}
	for i, field := range besideFields {
		if field == c.field.indexed() {
			continue
		}
		if m.beside[i], err = r.mergeField(field, c.phrases); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// wordPostings returns the postings lists of one-word phrases, by segment, and the number of postings in all.
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

// mergeField reads and merges the postings of one-word phrases.
func (r reader) mergeField(field string, phrases []Phrase) (mergedList, error) {
	lists, n, err := r.wordPostings(field, phrases)
	if err != nil {
		return mergedList{}, err
	}
	all := make([]uint64, 0, n) // documents in the upper half, frequencies in the lower
	if err := r.readPostings(lists, func(doc, frequency uint64) { all = append(all, doc<<32|frequency) }); err != nil {
		return mergedList{}, err
	}
	return mergedListOf(all), nil
}

// readPostings calls f with each document in the lists of [reader.wordPostings] and the frequency there, word by word.
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

// mergedListOf sorts pairs of document and frequency by document.
func mergedListOf(all []uint64) (j mergedList) {
	if len(all) == 0 {
		return j
	}
	last := slices.Max(all) >> 32
	from := make([]uint32, last+2) // by document: where its frequencies begin
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

func (j *mergedList) walk() *documentList {
	out := make(documentList, len(j.docs))
	for i, doc := range j.docs {
		out[i] = uint64(doc)
	}
	return &out
}

// A mergedListWalk walks over the documents of a mergedList, in order.
type mergedListWalk struct {
	*mergedList
	at int
}

// of returns the frequencies in a document. Documents must be asked for in order.
func (w *mergedListWalk) of(doc uint64) []uint32 {
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

// A mergedPostingsWalk reads a mergedPostings, document by document.
type mergedPostingsWalk struct {
	in     mergedListWalk
	beside [besides]mergedListWalk
}

func (m *mergedPostings) newWalk() *mergedPostingsWalk {
	w := &mergedPostingsWalk{in: mergedListWalk{mergedList: &m.in}}
	for i := range m.beside {
		w.beside[i].mergedList = &m.beside[i]
	}
	return w
}

// addMerged is [postingSummary.at] for a spot of many words.
func (g *postingSummary) addMerged(doc uint64, s *spot, rows int) {
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
