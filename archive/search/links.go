package search

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/zeebo/xxh3"
)

// A Link is a link to a page.
type Link struct {
	Key  string // SURT of the page, archived or not
	Text string // text of the link
}

// linkTerm returns a term of fieldLinks. Links are stored in the documents of the linking pages, so indexing a page updates the counts of
// all its targets and nothing else has to be written. The terms:
//
//	0 hash           the page links to the page whose key has this hash (6 bytes)
//	WORD 0 hash      the text of such a link has this word
//
// Their frequencies are not used.
func linkTerm(w string, hash uint64) string {
	b := append(append(make([]byte, 0, len(w)+1+8), w...), 0)
	return string(binary.BigEndian.AppendUint64(b, hash<<(64-8*hashSize))[:len(w)+1+hashSize])
}

// hashSize is the length of a hash in bytes. In one of 500 collections of a million pages, two pages share a hash.
const hashSize = 6

func linkHash(key string) uint64 { return xxh3.HashString(key) >> (64 - 8*hashSize) }

// link adds the links of the newest version that shows the page, except those to the page itself.
func (b *pageBuilder) link(t Text) {
	b.links = newField(fieldLinks, 64)
	for l := range t.Links {
		if l.Key == b.page.Key {
			continue
		}
		for _, t := range b.linkTerms.of(l) {
			b.links.add(t)
		}
	}
}

// linkTerms caches the terms of links, because menus repeat the same links on many pages.
type linkTerms map[Link][]string

// linksKnown bounds that cache. It is enough for the menus of some hosts.
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
	k[Link{strings.Clone(l.Key), strings.Clone(l.Text)}] = terms // clones, so that the cache doesn't keep whole pages in memory
	return terms
}

// pointers have the number of pages that link to each target, by segment and sorted by hash.
type pointers [][]pointer

type pointer struct {
	to    uint64 // hash of the target's key
	pages uint32 // number of pages that link there
}

// of returns how many pages link to the target with a hash.
func (p pointers) of(hash uint64) (n int) {
	for _, list := range p {
		if i := sort.Search(len(list), func(i int) bool { return list[i].to >= hash }); i < len(list) && list[i].to == hash {
			n += int(list[i].pages)
		}
	}
	return n
}

// pointers returns how many pages link to each target with a word in the link text; "" is for any text.
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
	var postings segment.PostingsList
	terms := dict.AutomatonIterator(nil, from, append([]byte(w), 1))
	for {
		e, err := terms.Next()
		if err != nil || e == nil {
			return list, err
		}
		if len(e.Term) != len(from)+hashSize {
			continue
		}
		if postings, err = dict.PostingsList([]byte(e.Term), s.Deleted(), postings); err != nil {
			return nil, err
		}
		if n := postings.Count(); n > 0 {
			hash := binary.BigEndian.Uint64(append([]byte{0, 0}, e.Term[len(from):]...))
			list = append(list, pointer{hash, uint32(n)})
		}
	}
}

// inlinks has the link counts of all pages in a snapshot of the index.
type inlinks struct {
	of []*scorch.SegmentSnapshot
	pointers
}

// allInlinks returns how many pages link to each page. They are read once for each snapshot.
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

// A pointing has the link counts that a request asks for.
type pointing struct {
	words   [][][]pointers // by clause, phrase and word; nil if the request doesn't ask for anchors
	inlinks pointers
}

// newPointing reads the link counts that a request asks for. If the request has more phrases than [maxSpots], anchors are not counted.
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
	if !anchors || phrases > maxSpots {
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

// pointersOf returns the pointers of each distinct word of a phrase.
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

// A linkCounts has the link counts of one page; see [Match].
type linkCounts struct {
	anchors []int
	inlinks int
}

func (p *pointing) at(key string) (to linkCounts) {
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

// fewest returns the smallest number of linking pages among some words.
func fewest(words []pointers, hash uint64) (n int) {
	for i, w := range words {
		if of := w.of(hash); i == 0 || of < n {
			n = of
		}
	}
	return n
}
