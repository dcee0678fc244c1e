package comparison

import (
	"context"
	"errors"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
)

// A termPlaces says in which pairs of versions the wanted words change, as seen from one pair. -1 means none.
type termPlaces struct {
	here                   bool
	prev, next             int
	prevUnseen, nextUnseen int   // the pair at which the search for prev and next stopped early
	all                    []int // all known ones, in order
}

// Limits of the search in one direction. Reading a sketch takes some 20 µs, reading a text some milliseconds.
const (
	maxSketchesRead = 1000
	maxTextsRead    = 40
)

// A termSearch finds the pairs in which the count of a word or phrase changes. The index of the search in changes knows them. If it isn't
// up to date with the page, or the phrase is too long for it, the texts are read from their records. Sketches avoid most of that: they
// tell which words a text lacks, and how often it has one.
type termSearch struct {
	h               *Handler
	sl              *slide
	indexed         bool
	turns           map[int]bool     // if indexed, the candidate pairs, and whether they are certain to be changes
	known           map[uint64][]int // upper bounds of how many times each phrase occurs in a text, by its ID
	sketches, texts int              // how many may still be read
}

func (h *Handler) newTermSearch(ctx context.Context, sl *slide) *termSearch {
	t := &termSearch{h: h, sl: sl, known: map[uint64][]int{}}
	if sl.wanted == nil {
		return t
	}
	turns, known, err := h.turns(ctx, sl)
	if err != nil {
		h.archive.Log.Error("the change-text search does not answer; texts are read instead", "page", sl.tl.Key, "error", err)
		return t
	}
	if t.indexed = known; known {
		t.turns = map[int]bool{}
		for _, turn := range turns {
			if pair, exactly := sl.pairOf(turn.Before, turn.After); pair >= 0 {
				t.turns[pair] = exactly
			}
		}
	}
	return t
}

// turns returns the changes of the page that delete or add the wanted words, from the search in changes.
func (h *Handler) turns(ctx context.Context, sl *slide) (turns []search.Change, known bool, err error) {
	of, err := h.searches.Of(sl.tl.Coll)
	if err == nil {
		turns, known, err = of.Turns(ctx, h.searches.PageOf(sl.tl), sl.wanted.query)
	}
	if errors.Is(err, searches.ErrNoSearch) || errors.Is(err, opensearch.ErrAway) { // then the texts are read
		return nil, false, nil
	}
	return turns, known, err
}

// pairOf returns the pair of versions that includes a change between two datetimes, or -1, and whether the datetimes are exactly those of
// the pair. Between its versions there may be captures that show something else. Then there were several changes, and only the texts of
// the two versions tell their sum.
func (sl *slide) pairOf(last, first cdx.Timestamp) (pair int, exactly bool) {
	i := timeline.RangeOf(sl.ranges, first)
	if i > 0 && sl.ranges[i].First == first && sl.ranges[i-1].Last == last {
		return i - 1, true
	}
	if i >= 0 && i+1 < len(sl.ranges) && last >= sl.ranges[i].Last {
		return i, false
	}
	if i > 0 && sl.ranges[i].First == first && last >= sl.ranges[i-1].Last {
		return i - 1, false
	}
	return -1, false
}

// newest returns the newest pair in which the wanted words change, or the newest of all.
func (t *termSearch) newest(ctx context.Context) (int, error) {
	last := max(t.sl.pairs()-1, 0)
	found, _, err := t.nearest(ctx, last, -1)
	if found < 0 {
		found = last
	}
	return found, err
}

// around returns the places nearest to the pair of the slide.
func (t *termSearch) around(ctx context.Context) (p termPlaces, err error) {
	p.prev, p.next, p.prevUnseen, p.nextUnseen = -1, -1, -1, -1
	if t.sl.wanted == nil {
		return p, nil
	}
	for _, c := range t.sl.terms {
		p.here = p.here || t.sl.newer != nil && c.Before != c.After
	}
	if p.prev, p.prevUnseen, err = t.nearest(ctx, t.sl.index-1, -1); err != nil {
		return p, err
	}
	if p.next, p.nextUnseen, err = t.nearest(ctx, t.sl.index+1, 1); err != nil {
		return p, err
	}
	p.all = t.all(map[int]bool{p.prev: true, t.sl.index: p.here, p.next: true})
	return p, nil
}

// all returns the pairs that are known to be changes, in order.
func (t *termSearch) all(found map[int]bool) []int {
	for pair, sure := range t.turns {
		found[pair] = found[pair] || sure
	}
	var out []int
	for pair, is := range found {
		if is && pair >= 0 {
			out = append(out, pair)
		}
	}
	slices.Sort(out)
	return out
}

// nearest returns the first pair in which the wanted words change, beginning at pair, in steps of 1 or −1; -1 means none. unseen is the
// first pair that was not checked, or -1.
func (t *termSearch) nearest(ctx context.Context, pair, step int) (found, unseen int, err error) {
	t.sketches, t.texts = maxSketchesRead, maxTextsRead
	for ; pair >= 0 && pair < t.sl.pairs(); pair += step {
		if t.sketches <= 0 || t.texts <= 0 {
			return -1, pair, nil
		}
		changed, err := t.changes(ctx, pair)
		if err != nil {
			return -1, -1, err
		}
		if changed {
			return pair, -1, nil
		}
	}
	return -1, -1, nil
}

// changes reports whether the counts differ between the versions of a pair. A text that can't be read now, or that access rules block,
// does not count as a change.
func (t *termSearch) changes(ctx context.Context, pair int) (bool, error) {
	sure, candidate := t.turns[pair]
	if sure || t.indexed && !candidate {
		return sure, nil
	}
	older, newer := t.textsOf(pair)
	may, err := t.mayChange(ctx, older, newer)
	if err != nil || !may {
		return false, err
	}
	before, err := t.count(ctx, pair, older)
	if err != nil || before == nil {
		return false, err
	}
	after, err := t.count(ctx, pair+1, newer)
	return after != nil && !slices.Equal(before, after), err
}

// textsOf returns the IDs of the two texts that a pair shows: the last of the older version, the first of the newer
// one. An ID is 0 if there is no text.
func (t *termSearch) textsOf(pair int) (older, newer uint64) {
	captures, ranges := t.sl.tl.Captures, t.sl.ranges
	return captures[ranges[pair].LastIndex].Text, captures[ranges[pair+1].FirstIndex].Text
}

// mayChange decides by the sketches of two texts whether to read them. It returns false if each phrase lacks a word on both sides, or is
// a single word with equal counts.
func (t *termSearch) mayChange(ctx context.Context, a, b uint64) (bool, error) {
	if a == b {
		return false, nil
	}
	x, err := t.atMost(ctx, a)
	if err != nil {
		return false, err
	}
	y, err := t.atMost(ctx, b)
	if err != nil {
		return false, err
	}
	if x == nil || y == nil {
		return true, nil
	}
	for i, p := range t.sl.wanted.query.Phrases {
		if x[i] != y[i] || x[i] > 0 && len(p) > 1 {
			return true, nil
		}
	}
	return false, nil
}

// atMost returns upper bounds of how many times each phrase occurs in a text, or nil if the index does not know the
// text.
func (t *termSearch) atMost(ctx context.Context, id uint64) ([]int, error) {
	if counts, ok := t.known[id]; ok {
		return counts, nil
	}
	counts := make([]int, len(t.sl.wanted.query.Phrases))
	if id != 0 {
		t.sketches--
		err := t.h.archive.Index.Text(ctx, id, func(b []byte) error {
			k, err := sketch.Parse(b)
			for i, p := range t.sl.wanted.query.Phrases {
				counts[i] = k.Count(p[0])
				for _, word := range p[1:] {
					counts[i] = min(counts[i], k.Count(word))
				}
			}
			return err
		})
		if errors.Is(err, index.ErrNoText) {
			counts, err = nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	t.known[id] = counts
	return counts, nil
}

// count returns how many times each phrase occurs in a text of a version, or nil if that can't be read now, or may not be.
func (t *termSearch) count(ctx context.Context, version int, id uint64) ([]int, error) {
	if id == 0 {
		return make([]int, len(t.sl.wanted.query.Phrases)), nil
	}
	first := t.sl.ranges[version].First
	key := termKey{t.h.archive.TextKey(t.sl.tl, first, id), t.sl.wanted.q}
	if counts, ok := t.h.counts.Get(key); ok {
		return counts, nil
	}
	t.texts--
	text, err := t.h.archive.VersionText(ctx, t.sl.tl, first, id)
	if err != nil {
		if isUnshown(err) {
			return nil, nil
		}
		return nil, err
	}
	counts := t.sl.wanted.count(&text)
	t.h.counts.Add(key, counts)
	return counts, nil
}

// countCache caches the number of occurrences of recently wanted phrases in texts, because readers who go from change to change ask
// again.
type countCache = lru.Cache[termKey, []int]

type termKey struct {
	text archive.TextKey
	q    string
}

// keptTermCounts bounds the cache. A query has at most [search.MaxQuery] bytes; few have more than thirty.
const keptTermCounts = 4096

func newCountCache() *countCache {
	c, _ := lru.New[termKey, []int](keptTermCounts) // the error is for a size of 0
	return c
}
