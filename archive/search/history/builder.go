package history

import (
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/tokenize"
)

// A Text is the text of a version, in blocks. No word spans two blocks, phrases may.
type Text struct {
	Title, Lang string // "" if unknown
	Fields      string // see [Version]
	Blocks      []string
	Kinds       []Kind // of the blocks, nil if all are Body
}

// A Kind says what a block is on its page.
type Kind uint8

// The kinds.
const (
	Body Kind = iota
	Heading
	Furniture // menus, footers, notices: what is on many pages of a site
)

func (t *Text) kind(block int) Kind {
	if block < len(t.Kinds) {
		return t.Kinds[block]
	}
	return Body
}

// Limits bound a part. A part ends with the version that reaches one of them.
type Limits struct {
	Bytes int // of its distinct passages
	Lists int // passages in the lists of its versions
}

// DefaultLimits keep a part within some megabytes, when it is built and when it is read.
var DefaultLimits = Limits{Bytes: 1 << 20, Lists: 1 << 19}

// A Builder makes the parts of a page's history. It holds one part at a time.
type Builder struct {
	sizes  Sizes
	limits Limits

	// Paired says which words are so common that their neighbours are counted too: each two of them that follow each other
	// are a pair. nil means none. It is called once for each distinct word.
	Paired func(w string) bool

	numbers map[string]uint32 // of words
	words   []wordState       // by number
	known   map[string]uint32 // passages by their bytes
	places  []passage         // by number
	ids     []uint32          // numbers of the words of all passages
	bytes   int               // of all passages
	lists   int               // lengths of all lists
	rows    []Row
	list    [][]uint32 // passages of each row
	shown   int32      // the number of the newest version that shows the page, 0 for none

	taken bool // the part was taken, and no version was added since

	pairNumbers map[[2]uint32]uint32 // by the numbers of their words
	pairs       []wordState          // by number

	touched, touchedPairs []uint32 // by the last step
	buf                   []byte
}

// A wordState is what a builder knows of a word.
type wordState struct {
	text string
	hash uint64
	pair bool  // see [Builder.Paired]
	now  int32 // occurrences in the newest version
	step int32 // by how much the last step changed that
	seen bool  // in touched
	most int32 // the most occurrences in one version
	run  run

	shown int32    // the version for which kinds are counted
	kinds [2]int32 // occurrences in headings and in furniture
}

// A passage is a run of words: text is its bytes, from and to are where its words are among all.
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

// Reset begins the history of another page, in the memory of the last. The parts that were taken are not valid any more, but
// for their Rows and Table.
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

// begin begins another part, and leaves the memory of the last alone.
func (b *Builder) begin() {
	*b = Builder{
		sizes: b.sizes, limits: b.limits, Paired: b.Paired, buf: b.buf,
		numbers: map[string]uint32{}, known: map[string]uint32{}, pairNumbers: map[[2]uint32]uint32{},
	}
}

// maxWord is the length in bytes above which a word is kept as its beginning and a hash. Endless text without spaces,
// such as a picture in base64, is a word too.
const maxWord = 120

// Clip returns the form of a word in tables.
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

// number returns the number of a word.
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

// Full reports whether the part has reached its limits: take it before the next version is added. A part has at least
// one version.
func (b *Builder) Full() bool {
	if n := len(b.rows); b.taken || n == 0 || n == 1 && b.rows[0].Carried {
		return false
	}
	return b.bytes >= b.limits.Bytes || b.lists >= b.limits.Lists
}

// Add adds the next version. The step that it returns is valid until the builder is used again.
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

// cut divides a text into passages.
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
			b.words[n].sawIn(kind, b.shown)
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

// passage takes the words from b.ids[from] on as the next passage of a list. It forgets them if the passage is known.
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

// step updates the state of the words, and pairs of them, that are in the passages in which two versions differ.
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

// take applies what a step tallied, and returns by how much it changed the count.
func (w *wordState) take(row int32) (by int32) {
	w.now += w.step
	w.most = max(w.most, w.now)
	w.run.step(w.now-w.step, w.now, row)
	w.seen = false
	return w.step
}

// alike returns how many passages two lists have in common at their beginnings, and then at their ends.
func alike(a, b []uint32) (head, tail int) {
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// around returns a list without its head and its tail, but for the one passage of each that is next to what is between.
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

// tallyPairs counts the pairs in passages that follow each other.
func (b *Builder) tallyPairs(list []uint32, by int32) {
	if b.Paired == nil {
		return
	}
	var before uint32
	pair := false // whether before can begin one
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

// A Step is what a version changed.
type Step struct {
	Rows         [2]Row // the version before, empty if there is none, and this one
	b            *Builder
	older, newer []uint32
}

// Same reports whether both versions have the same passages.
func (s *Step) Same() bool { return slices.Equal(s.older, s.newer) }

// Changed yields the words that one version has more often than the other, with their counts in both.
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
