package search

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/zeebo/xxh3"
)

// A Link is a link to a page.
type Link struct {
	Key  string // SURT of the page, archived or not
	Text string // by which it leads there
}

// What is known of links to a page stands in the documents of those that link. So a page that is indexed anew changes what
// is known of all that it links to, or no longer does, and nothing else has to be written. The terms of fieldLinks:
//
//	0 hash           the page links to that with this hash of its key (6 bytes)
//	WORD 0 hash      by a text with this word
//
// Their numbers say nothing.
func linkTerm(w string, hash uint64) string {
	b := append(append(make([]byte, 0, len(w)+1+8), w...), 0)
	return string(binary.BigEndian.AppendUint64(b, hash<<(64-8*hashSize))[:len(w)+1+hashSize])
}

// hashSize is the length of a hash in bytes. Among a million pages, two have the same once in 500 collections.
const hashSize = 6

func linkHash(key string) uint64 { return xxh3.HashString(key) >> (64 - 8*hashSize) }

// link takes the links of the newest version that shows the page. Those to itself don't count.
func (b *pageBuilder) link(links iter.Seq[Link]) {
	b.links = newField(fieldLinks, 64)
	for l := range links {
		if l.Key == b.page.Key {
			continue
		}
		for _, t := range b.linkTerms.of(l) {
			b.links.add(t, 1)
		}
	}
}

// linkTerms remembers the terms of links: those of menus are on page after page.
type linkTerms map[Link][]string

// linksKnown is how many links are remembered: those of the menus of some hosts.
const linksKnown = 1 << 13

func (k linkTerms) of(l Link) []string {
	terms, ok := k[l]
	if ok {
		return terms
	}
	hash := linkHash(l.Key)
	terms = []string{linkTerm("", hash)}
	for _, w := range Words(l.Text) {
		terms = append(terms, linkTerm(term(w), hash))
	}
	if len(k) >= linksKnown {
		clear(k)
	}
	k[Link{strings.Clone(l.Key), strings.Clone(l.Text)}] = terms // what is cut out of a page would keep all of it
	return terms
}

// pointers say how many pages link to each of many, by segment and in the order of hashes.
type pointers [][]pointer

type pointer struct {
	to    uint64 // hash of the key
	pages uint32 // that link there
}

// of returns how many pages link to that with a hash.
func (p pointers) of(hash uint64) (n int) {
	for _, list := range p {
		if i := sort.Search(len(list), func(i int) bool { return list[i].to >= hash }); i < len(list) && list[i].to == hash {
			n += int(list[i].pages)
		}
	}
	return n
}

// pointers returns how many pages link by texts with a word, "" for whatever text.
func (r reader) pointers(w string) (out pointers, err error) {
	for _, s := range r.segments {
		list, err := pointersIn(s, w)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			out = append(out, list)
		}
	}
	return out, nil
}

func pointersIn(s *scorch.SegmentSnapshot, w string) (list []pointer, err error) {
	dict, err := s.Segment().Dictionary(fieldLinks)
	if err != nil {
		return nil, err
	}
	from := append([]byte(w), 0)
	deleted := s.Deleted()
	terms := dict.AutomatonIterator(nil, from, append([]byte(w), 1))
	for {
		e, err := terms.Next()
		if err != nil || e == nil {
			return list, err
		}
		if len(e.Term) != len(from)+hashSize {
			continue
		}
		n := e.Count
		if deleted != nil && !deleted.IsEmpty() { // the dictionary still counts what is deleted
			postings, err := dict.PostingsList([]byte(e.Term), deleted, nil)
			if err != nil {
				return nil, err
			}
			n = postings.Count()
		}
		if n > 0 {
			hash := binary.BigEndian.Uint64(append([]byte{0, 0}, e.Term[len(from):]...))
			list = append(list, pointer{hash, uint32(n)})
		}
	}
}

// inlinks are those of all pages in a snapshot of the index.
type inlinks struct {
	of []*scorch.SegmentSnapshot
	pointers
}

// allInlinks returns how many pages link to each page. They are read once for each state of the index.
func (x *Index) allInlinks(r reader) (pointers, error) {
	if known := x.inlinks.Load(); known != nil && slices.Equal(known.of, r.segments) {
		return known.pointers, nil
	}
	all, err := r.pointers("")
	if err == nil {
		x.inlinks.Store(&inlinks{r.segments, all})
	}
	return all, err
}

// Inlinks returns how many other pages link to each of some pages, given by their SURTs.
func (x *Index) Inlinks(ctx context.Context, keys []string) ([]int, error) {
	out := make([]int, len(keys))
	err := x.view(func(r reader) error {
		all, err := x.allInlinks(r)
		for i, key := range keys {
			out[i] = all.of(linkHash(key))
		}
		return errors.Join(err, ctx.Err())
	})
	return out, err
}

// A pointing is what a request asks of links.
type pointing struct {
	words   [][][]pointers // by clause, phrase and word; nil if it doesn't ask for them
	inlinks pointers
}

// newPointing reads what a request asks for. Anchors of very many phrases are not counted, as for [spot].
func (x *Index) newPointing(r reader, scored []Clause, anchors, inlinks bool) (p pointing, err error) {
	if inlinks {
		if p.inlinks, err = x.allInlinks(r); err != nil {
			return p, err
		}
	}
	phrases := 0
	for i := range scored {
		phrases += len(scored[i].Any)
	}
	if !anchors || phrases > mostSpots {
		return p, nil
	}
	p.words = make([][][]pointers, len(scored))
	for i := range scored {
		for _, phrase := range scored[i].Any {
			words, err := r.pointersOf(phrase)
			if err != nil {
				return p, err
			}
			p.words[i] = append(p.words[i], words)
		}
	}
	return p, nil
}

// pointersOf returns those of the distinct words of a phrase.
func (r reader) pointersOf(p Phrase) (out []pointers, err error) {
	for _, w := range slices.Compact(slices.Sorted(slices.Values(p))) {
		to, err := r.pointers(term(w))
		if err != nil {
			return nil, err
		}
		out = append(out, to)
	}
	return out, nil
}

// A pointed is what is known of links to one page; see [Match].
type pointed struct {
	anchors []int
	inlinks int
}

// at returns what is known of links to a page.
func (p *pointing) at(key string) (to pointed) {
	if p.words == nil && p.inlinks == nil {
		return to
	}
	hash := linkHash(key)
	to.inlinks = p.inlinks.of(hash)
	if p.words == nil {
		return to
	}
	to.anchors = make([]int, len(p.words))
	for i, phrases := range p.words {
		for _, words := range phrases {
			to.anchors[i] += fewest(words, hash)
		}
	}
	return to
}

// fewest returns how many pages link by the rarest of some words.
func fewest(words []pointers, hash uint64) (n int) {
	for i, w := range words {
		if of := w.of(hash); i == 0 || of < n {
			n = of
		}
	}
	return n
}
