package history

import (
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/tokenize"
)

// A Text is the text of a version, in blocks. Words end at the end of a block; phrases may span blocks.
type Text struct {
	Title, Lang string // "" if unknown
	Fields      string // see [Version]
	Blocks      []string
	Kinds       []Kind // by block; nil if all are Body
}

// A Kind says what a block is on its page.
type Kind uint8

const (
	Body Kind = iota
	Heading
	Furniture // menus, footers, notices: the same on many pages of a site
)

func (t *Text) kind(block int) Kind {
	if block < len(t.Kinds) {
		return t.Kinds[block]
	}
	return Body
}

// Limits bound the size of a part. A part ends with the version that reaches one of them.
type Limits struct {
	Bytes int // of its distinct passages together
	Lists int // lengths of all versions' passage lists together
}

// DefaultLimits keep the memory for a part to some megabytes, when it is built and when it is read.
var DefaultLimits = Limits{Bytes: 1 << 20, Lists: 1 << 19}

// A Builder makes the parts of a page's history. It holds one part at a time.
type Builder struct {
	sizes  Sizes
	limits Limits

	// Paired says whether a word is so common that pairs of adjacent common words are counted like words. nil means none is. It is called once
	// for each distinct word.
	Paired func(w string) bool

	numbers map[string]uint32 // number of each word
	words   []wordState       // by number
	known   map[string]uint32 // number of each passage, by its text
	places  []passage         // by number
	ids     []uint32          // numbers of the words of all passages
	bytes   int               // of all passages
	lists   int               // lengths of all lists
	rows    []Row
	list    [][]uint32 // passages of each row
	shown   int32      // the number of the newest version that shows the page, 0 for none

	taken bool // the part was taken and no version has been added since

	pairNumbers map[[2]uint32]uint32 // number of each pair, by the numbers of its words
	pairs       []wordState          // by number

	touched, touchedPairs []uint32 // by the last step, as numbers
	buf                   []byte
}

// A wordState is what a builder knows about a word or pair.
type wordState struct {
	text string
	hash uint64
	pair bool  // see [Builder.Paired]
	now  int32 // occurrences in the newest version
	step int32 // change of that by the last step
	seen bool  // is in touched
	most int32 // the most occurrences in one version
	run  run

	shown int32    // the version that kinds belongs to
	kinds [2]int32 // occurrences in headings and in furniture
}

// A passage is a run of words. from and to delimit its words in [Builder.ids].
type passage struct {
	text     string
	from, to int
}

// NewBuilder returns a builder for the history of one page.
func NewBuilder(s Sizes, l Limits) *Builder {
	b := &Builder{sizes: s, limits: l}
	b.begin()
	return b
}

// Reset begins the history of another page and reuses the builder's memory. Of the parts taken before, only Rows and Table stay valid.
func (b *Builder) Reset() {
	for _, m := range []map[string]uint32{b.numbers, b.known} {
		clear(m)
	}
	clear(b.pairNumbers)
	*b = Builder{
		sizes: b.sizes, limits: b.limits, Paired: b.Paired, buf: b.buf,
		numbers: b.numbers, known: b.known, pairNumbers: b.pairNumbers,
		words: b.words[:0], places: b.places[:0], ids: b.ids[:0], pairs: b.pairs[:0],
		touched: b.touched[:0], touchedPairs: b.touchedPairs[:0],
	}
}

// begin begins another part in new memory, because the part taken before still uses the old.
func (b *Builder) begin() {
	*b = Builder{
		sizes: b.sizes, limits: b.limits, Paired: b.Paired, buf: b.buf,
		numbers: map[string]uint32{}, known: map[string]uint32{}, pairNumbers: map[[2]uint32]uint32{},
	}
}

// maxWord is the length in bytes above which a word is kept as its beginning and a hash. Endless text without spaces,
// such as a picture in base64, is a word too.
const maxWord = 120

// Clip returns a word as tables have it: whole, or its beginning and a hash.
func Clip(w string) string {
	if len(w) <= maxWord {
		return w
	}
	return string(shorten([]byte(w)))
}

func shorten(w []byte) []byte {
	const digits = "0123456789abcdef"
	out := append(slices.Clone(w[:maxWord/2]), 1)
	h := xxh3.Hash(w)
	for shift := 60; shift >= 0; shift -= 4 {
		out = append(out, digits[h>>shift&15])
	}
	return out
}

// number returns the number of a word, a new one if the word is new.
func (b *Builder) number(w []byte) uint32 {
	if len(w) > maxWord {
		w = shorten(w)
	}
	n, ok := b.numbers[string(w)]
	if !ok {
		n = uint32(len(b.words))
		s := string(w)
		b.numbers[s] = n
		b.words = append(b.words, wordState{text: s, hash: xxh3.HashString(s), pair: b.Paired != nil && b.Paired(s)})
	}
	return n
}

// Full reports whether the part has reached its limits. If so, take it before adding the next version. A part has at least one version.
func (b *Builder) Full() bool {
	if n := len(b.rows); b.taken || n == 0 || n == 1 && b.rows[0].Carried {
		return false
	}
	return b.bytes >= b.limits.Bytes || b.lists >= b.limits.Lists
}

// Add adds the next version. The returned Step is valid until the builder is used again.
func (b *Builder) Add(v Version, t Text) Step {
	if b.taken {
		b.carry()
	}
	v.Title, v.Lang, v.Fields = t.Title, t.Lang, t.Fields
	if v.Missing || v.Soft404 {
		t.Kinds = nil
	} else if len(t.Blocks) > 0 {
		b.shown++
	}
	list, words := b.cut(t)
	s := Step{b: b, Rows: [2]Row{1: {Version: v, Words: words}}, newer: list}
	if n := len(b.list); n > 0 {
		s.older, s.Rows[0] = b.list[n-1], b.rows[n-1]
	}
	b.step(s.older, list, &s.Rows[1])
	b.rows, b.list = append(b.rows, s.Rows[1]), append(b.list, list)
	b.lists += len(list)
	return s
}

// cut divides a text into passages, and returns their numbers and the number of words.
func (b *Builder) cut(t Text) (list []uint32, words int) {
	c := cutter{Sizes: b.sizes}
	from := len(b.ids)
	for i, block := range t.Blocks {
		last, kind := -1, t.kind(i)
		tokenize.Terms(block, func(w tokenize.Term) bool {
			if last >= 0 && c.after(b.words[last].hash, false) {
				list, from = b.passage(list, from)
			}
			n := b.number(w.Norm)
			b.ids = append(b.ids, n)
			b.words[n].countIn(kind, b.shown)
			last = int(n)
			words++
			return true
		})
		if last >= 0 && c.after(b.words[last].hash, true) {
			list, from = b.passage(list, from)
		}
	}
	if len(b.ids) > from {
		list, _ = b.passage(list, from)
	}
	return list, words
}

// passage ends a passage that began at b.ids[from]. It appends its number to list and returns where the next begins. A known passage is not
// stored again.
func (b *Builder) passage(list []uint32, from int) ([]uint32, int) {
	b.buf = b.buf[:0]
	for i, n := range b.ids[from:] {
		if i > 0 {
			b.buf = append(b.buf, ' ')
		}
		b.buf = append(b.buf, b.words[n].text...)
	}
	p, ok := b.known[string(b.buf)]
	if ok {
		b.ids = b.ids[:from]
	} else {
		p = uint32(len(b.places))
		text := string(b.buf)
		b.known[text] = p
		b.places = append(b.places, passage{text, from, len(b.ids)})
		b.bytes += len(text) + 1
	}
	return append(list, p), len(b.ids)
}

// step updates the counts of the words and pairs in the passages that differ between two versions.
func (b *Builder) step(older, newer []uint32, row *Row) {
	at := int32(len(b.rows))
	head, tail := alike(older, newer)
	b.touched, b.touchedPairs = b.touched[:0], b.touchedPairs[:0]
	b.tally(older[head:len(older)-tail], -1)
	b.tally(newer[head:len(newer)-tail], 1)
	for _, n := range b.touched {
		switch by := b.words[n].take(at); {
		case by < 0:
			row.Deleted -= int(by)
		case by > 0:
			row.Added += int(by)
		}
	}
	b.tallyPairs(around(older, head, tail), -1)
	b.tallyPairs(around(newer, head, tail), 1)
	for _, n := range b.touchedPairs {
		b.pairs[n].take(at)
	}
}

// take applies what a step tallied and returns the change of the count.
func (w *wordState) take(row int32) (by int32) {
	w.now += w.step
	w.most = max(w.most, w.now)
	w.run.step(w.now-w.step, w.now, row)
	w.seen = false
	return w.step
}

// alike returns the lengths of the common head and tail of two lists of passages.
func alike(a, b []uint32) (head, tail int) {
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// around returns the list without the common head and tail, except for the passage next to the middle on each side: pairs span passages.
func around(list []uint32, head, tail int) []uint32 {
	return list[max(head-1, 0) : len(list)-max(tail-1, 0)]
}

func (b *Builder) tally(list []uint32, by int32) {
	for _, p := range list {
		for _, n := range b.ids[b.places[p].from:b.places[p].to] {
			w := &b.words[n]
			if !w.seen {
				w.seen, w.step = true, 0
				b.touched = append(b.touched, n)
			}
			w.step += by
		}
	}
}

// tallyPairs counts the pairs in consecutive passages.
func (b *Builder) tallyPairs(list []uint32, by int32) {
	if b.Paired == nil {
		return
	}
	var before uint32
	pair := false // before is a common word
	for _, p := range list {
		for _, n := range b.ids[b.places[p].from:b.places[p].to] {
			is := b.words[n].pair
			if is && pair {
				b.tallyPair([2]uint32{before, n}, by)
			}
			before, pair = n, is
		}
	}
}

func (b *Builder) tallyPair(words [2]uint32, by int32) {
	n, ok := b.pairNumbers[words]
	if !ok {
		n = uint32(len(b.pairs))
		b.pairNumbers[words] = n
		b.pairs = append(b.pairs, wordState{text: b.words[words[0]].text + " " + b.words[words[1]].text})
	}
	w := &b.pairs[n]
	if !w.seen {
		w.seen, w.step = true, 0
		b.touchedPairs = append(b.touchedPairs, n)
	}
	w.step += by
}

// A Step is the change from one version to the next.
type Step struct {
	Rows         [2]Row // the rows of the version before (empty if there is none) and of this one
	b            *Builder
	older, newer []uint32
}

// Same reports whether both versions have the same passages.
func (s *Step) Same() bool { return slices.Equal(s.older, s.newer) }

// Changed yields the words whose counts differ between the versions, with both counts.
func (s *Step) Changed(yield func(w string, before, after int)) {
	for _, n := range s.b.touched {
		if w := &s.b.words[n]; w.step != 0 {
			yield(w.text, int(w.now-w.step), int(w.now))
		}
	}
}

// SetLang sets the language of the newer version.
func (s *Step) SetLang(lang string) { s.b.rows[len(s.b.rows)-1].Lang = lang }

// Older returns the first n words of the older version.
func (s *Step) Older(n int) []string { return s.b.head(s.older, n) }

// Newer returns the first n words of the newer version.
func (s *Step) Newer(n int) []string { return s.b.head(s.newer, n) }

func (b *Builder) head(list []uint32, n int) []string {
	out := make([]string, 0, n)
	for _, p := range list {
		for _, w := range b.ids[b.places[p].from:b.places[p].to] {
			if len(out) == n {
				return out
			}
			out = append(out, b.words[w].text)
		}
	}
	return out
}
