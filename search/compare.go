package search

import (
	"github.com/blevesearch/bleve/v2/document"

	"github.com/varve-archive/varve/change/diff"
	"github.com/varve-archive/varve/change/word"
)

// contextWords is the number of unchanged words kept on each side of a difference. The index alone can answer phrases
// of up to contextWords+1 words.
const contextWords = 7

// A window is a part of the older and of the newer version in which they differ, with some common words on both
// sides. Outside the windows both versions are the same. So, for a phrase of up to contextWords+1 words, the
// difference between the counts in the windows is the difference between the counts in the versions.
type window struct{ a, aEnd, b, bEnd int }

func windows(hunks []diff.Hunk, a, b int) []window {
	var out []window
	for i, h := range hunks {
		w := window{h.A, h.AEnd, h.B, h.BEnd}
		before, after := h.A, a-h.AEnd // unchanged words on each side, the same in both versions
		if i > 0 {
			before -= hunks[i-1].AEnd
		}
		if i+1 < len(hunks) {
			after = hunks[i+1].A - h.AEnd
		}
		left, right := min(contextWords, before), min(contextWords, after)
		if n := len(out); n > 0 && before <= 2*contextWords { // the contexts meet: one window for both
			out[n-1].aEnd, out[n-1].bEnd = h.AEnd+right, h.BEnd+right
			continue
		}
		w.a, w.b, w.aEnd, w.bEnd = w.a-left, w.b-left, w.aEnd+right, w.bEnd+right
		out = append(out, w)
	}
	return out
}

// A comparer builds the documents for the changes of one page. It numbers the words of the page as it meets them.
type comparer struct {
	numbers map[string]uint32
	words   []string // by number, in the form of [term]
	counts  [2][]int // by number: occurrences in the older and in the newer version
	marked  []bool   // by number; all false between two uses
}

func newComparer() *comparer { return &comparer{numbers: map[string]uint32{}} }

// version returns a text as the numbers of its words.
func (c *comparer) version(text string) []uint32 {
	var out []uint32
	word.Terms(text, func(t word.Term) bool {
		n, ok := c.numbers[string(t.Norm)]
		if !ok {
			n = uint32(len(c.words))
			w := string(t.Norm)
			c.numbers[w] = n
			c.words = append(c.words, term(w))
		}
		out = append(out, n)
		return true
	})
	return out
}

// document describes the change from words a to words b, and sets ch.Deleted and ch.Added. It returns nil if nothing
// changed.
func (c *comparer) document(ch *Change, a, b []uint32, stop *stopWords) *document.Document {
	hunks := diff.Align(a, b)
	if len(hunks) == 0 {
		return nil
	}
	for _, h := range hunks {
		ch.Deleted += h.AEnd - h.A
		ch.Added += h.BEnd - h.B
	}
	wins := windows(hunks, len(a), len(b))
	deleted, semi, added := &field{name: fieldDeleted}, &field{name: fieldSemiDeleted}, &field{name: fieldAdded}
	c.terms(a, b, hunks, deleted, semi, added)
	cut, fresh := &field{name: fieldCut}, &field{name: fieldNew}
	if ch.edit() {
		lang := stop.languageOf(c.words, a) | stop.languageOf(c.words, b)
		addSignificant(cut, deleted, lang, stop)
		addSignificant(fresh, added, lang, stop)
	}
	if len(a) > 0 && len(b) > 0 {
		c.pairs(a, b, wins, deleted, semi, added)
	}
	older, newer := &field{name: fieldOlder, places: true}, &field{name: fieldNewer, places: true}
	for i, w := range wins {
		c.addWindow(older, a[w.a:w.aEnd], i)
		c.addWindow(newer, b[w.b:w.bEnd], i)
	}
	doc := document.NewDocument(ch.id())
	doc.AddField(keyword(fieldPage, ch.Key))
	for _, f := range []*field{deleted, semi, added, cut, fresh, older, newer} {
		if f.length > 0 {
			doc.AddField(f)
		}
	}
	return doc
}

// addWindow adds the words of window i after those of the earlier windows. The gap between two windows makes sure that
// no phrase spans both.
func (c *comparer) addWindow(f *field, words []uint32, i int) {
	for _, w := range words {
		f.addAt(c.words[w], f.length+2*i+1)
	}
}

// terms sorts the words in the hunks into deleted ones, partly deleted ones and added ones.
func (c *comparer) terms(a, b []uint32, hunks []diff.Hunk, deleted, semi, added *field) {
	for i, words := range [2][]uint32{a, b} {
		c.counts[i] = grow(c.counts[i], len(c.words))
		for _, w := range words {
			c.counts[i][w]++
		}
	}
	c.marked = grow(c.marked, len(c.words))
	var seen []uint32
	each := func(w uint32) {
		if c.marked[w] {
			return
		}
		c.marked[w], seen = true, append(seen, w)
		classify(c.words[w], c.counts[0][w], c.counts[1][w], deleted, semi, added)
	}
	for _, h := range hunks {
		for _, w := range a[h.A:h.AEnd] {
			each(w)
		}
		for _, w := range b[h.B:h.BEnd] {
			each(w)
		}
	}
	for _, w := range seen {
		c.marked[w] = false
	}
	for _, w := range a {
		c.counts[0][w] = 0
	}
	for _, w := range b {
		c.counts[1][w] = 0
	}
}

func classify(t string, before, after int, deleted, semi, added *field) {
	switch {
	case before > 0 && after == 0:
		deleted.add(t, before)
	case before > after:
		semi.add(t, before-after)
	case before == 0 && after > 0:
		added.add(t, after)
	}
}

// A pair is two consecutive words.
type pair struct{ first, second uint32 }

// pairs sorts pairs of words as terms sorts words. It counts them in the windows, and in the whole texts only those
// whose counts in the windows differ.
func (c *comparer) pairs(a, b []uint32, wins []window, deleted, semi, added *field) {
	differ := map[pair]int{}
	for _, w := range wins {
		eachPair(a[w.a:w.aEnd], func(p pair) { differ[p]++ })
		eachPair(b[w.b:w.bEnd], func(p pair) { differ[p]-- })
	}
	totals := map[pair]*[2]int{}
	var begins []uint32
	for p, n := range differ {
		if n != 0 {
			totals[p] = &[2]int{}
			c.marked[p.first] = true
			begins = append(begins, p.first)
		}
	}
	for i, words := range [2][]uint32{a, b} {
		eachPair(words, func(p pair) {
			if c.marked[p.first] {
				if t := totals[p]; t != nil {
					t[i]++
				}
			}
		})
	}
	for _, w := range begins {
		c.marked[w] = false
	}
	for p, t := range totals {
		classify(c.words[p.first]+" "+c.words[p.second], t[0], t[1], deleted, semi, added)
	}
}

func eachPair(words []uint32, f func(pair)) {
	for i := 1; i < len(words); i++ {
		f(pair{words[i-1], words[i]})
	}
}

// addSignificant copies the terms that mean something: no stop words of the page's languages (there are two if the
// page was translated), and nothing without a letter.
func addSignificant(to, from *field, lang language, stop *stopWords) {
	for t, tf := range from.tokens {
		if stop.significant(t, lang) {
			to.add(t, tf.Frequency())
		}
	}
}

func grow[T any](s []T, n int) []T {
	for len(s) < n {
		s = append(s, make([]T, n-len(s))...)
	}
	return s
}
