package diff

import (
	"slices"
	"strings"
	"time"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/archive/content/visible"
)

// A tokenDiff compares sequences of strings. The diff library compares code points, so each distinct string is represented by one.
type tokenDiff struct {
	codes    map[string]rune
	deadline time.Time
	normal   bool // words are compared in their normal form
}

const (
	// diffTime bounds the search for the shortest differences. After it, differences are correct but may be longer.
	diffTime = time.Second
	// maxCode is the last code point. It represents all further words if texts have more distinct words than code points.
	maxCode        = 0x10ffff
	surrogateFirst = 0xd800
	surrogateCount = 0x800
)

func newTokenDiff() *tokenDiff {
	return &tokenDiff{codes: map[string]rune{}, deadline: time.Now().Add(diffTime)}
}

func (d *tokenDiff) late() bool { return time.Now().After(d.deadline) }

// A run is a number of consecutive tokens with the same operation.
type run struct {
	op Op
	n  int
}

func (d *tokenDiff) runs(a, b []string) []run {
	if d.late() {
		return roughRuns(d.encode(a), d.encode(b))
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = max(time.Until(d.deadline), time.Millisecond)
	diffs := dmp.DiffMainRunes(d.encode(a), d.encode(b), false)
	out := make([]run, 0, len(diffs))
	for _, part := range diffs {
		n := 0
		for range part.Text {
			n++
		}
		op := map[diffmatchpatch.Operation]Op{diffmatchpatch.DiffInsert: Inserted, diffmatchpatch.DiffDelete: Deleted}[part.Type]
		out = append(out, run{op, n})
	}
	return out
}

// roughRuns compares in linear time. It is used when time is up.
func roughRuns(a, b []rune) []run {
	var out []run
	add := func(op Op, n int) {
		if n > 0 {
			out = append(out, run{op, n})
		}
	}
	at := 0
	for _, h := range Align(numbers(a), numbers(b)) {
		add(Equal, h.A-at)
		add(Deleted, h.AEnd-h.A)
		add(Inserted, h.BEnd-h.B)
		at = h.AEnd
	}
	add(Equal, len(a)-at)
	return out
}

func numbers(codes []rune) []uint32 {
	out := make([]uint32, len(codes))
	for i, c := range codes {
		out[i] = uint32(c)
	}
	return out
}

// encode represents tokens as code points. It skips surrogates, which don't survive in a string.
func (d *tokenDiff) encode(tokens []string) []rune {
	codes := make([]rune, len(tokens))
	for i, t := range tokens {
		c, ok := d.codes[t]
		if !ok {
			c = rune(len(d.codes) + 1)
			if c >= surrogateFirst {
				c += surrogateCount
			}
			c = min(c, maxCode)
			d.codes[t] = c
		}
		codes[i] = c
	}
	return codes
}

// edits compares two runs of blocks word by word, ignoring where blocks end. It returns a block for each block of the newer run, and the
// blocks that left the older one.
func (d *tokenDiff) edits(gone, come []part) []Block {
	var left []Block
	var x []string
	for i := range gone {
		if gone[i].moved {
			left = append(left, gone[i].as(Left))
			continue
		}
		if n := len(x); n > 0 {
			x[n-1] += "\n"
		}
		x = append(x, tokens(gone[i].Text)...)
	}
	w := newEditWriter(come)
	y := w.tokens
	for _, r := range d.runs(d.keys(x), d.keys(y)) {
		switch r.op {
		case Equal:
			w.equal(y[:r.n])
			w.space = spaceLost(x[r.n-1], y[r.n-1])
			x, y = x[r.n:], y[r.n:]
		case Deleted:
			w.deleted(strings.Join(x[:r.n], ""))
			x = x[r.n:]
		default:
			w.inserted(y[:r.n])
			y = y[r.n:]
		}
	}
	out := w.done()
	if len(gone) == 1 && len(come) == 1 {
		out[0].Was = gone[0].Place
	}
	return append(left, out...)
}

// An editWriter distributes the edits of a run of blocks among the blocks of the newer text.
type editWriter struct {
	tokens []string // of all blocks that did not move
	ends   []int    // where each block ends in tokens
	blocks []Block
	at     int    // the block being written
	passed int    // number of tokens written
	space  string // a space after equal words that only the older text has
}

func newEditWriter(come []part) *editWriter {
	w := &editWriter{}
	for i := range come {
		b := &come[i]
		if b.moved {
			w.blocks = append(w.blocks, b.as(Moved))
		} else {
			w.blocks = append(w.blocks, Block{Region: b.Region, Heading: b.Heading, Is: b.Place})
			w.tokens = append(w.tokens, tokens(b.Text)...)
		}
		w.ends = append(w.ends, len(w.tokens))
	}
	return w
}

func (w *editWriter) equal(tokens []string) {
	for len(tokens) > 0 {
		if !w.next() && w.space != "" {
			w.put(Deleted, w.space)
		}
		w.space = ""
		tokens = w.pass(Equal, tokens)
	}
}

func (w *editWriter) inserted(tokens []string) {
	for len(tokens) > 0 {
		w.next()
		tokens = w.pass(Inserted, tokens)
	}
}

func (w *editWriter) deleted(text string) {
	if t, ok := strings.CutSuffix(text, "\n"); ok && w.passed < len(w.tokens) {
		text = t + " "
	} else {
		text = t
	}
	for w.blocks[w.at].Op == Moved && w.at+1 < len(w.blocks) {
		w.at++
	}
	w.put(Deleted, w.space+text)
	w.space = ""
}

// next moves to the block with the next token, and reports whether that is another block.
func (w *editWriter) next() bool {
	from := w.at
	for w.passed >= w.ends[w.at] {
		w.at++
	}
	return w.at != from
}

// pass writes the tokens that belong to the current block as one edit, and returns the others.
func (w *editWriter) pass(op Op, tokens []string) []string {
	n := min(len(tokens), w.ends[w.at]-w.passed)
	w.passed += n
	w.put(op, strings.Join(tokens[:n], ""))
	return tokens[n:]
}

func (w *editWriter) put(op Op, text string) {
	b := &w.blocks[w.at]
	if n := len(b.Edits); n > 0 && b.Edits[n-1].Op == op {
		b.Edits[n-1].Text += text
		return
	}
	b.Edits = append(b.Edits, Edit{op, text})
}

// done sets the operation of each block.
func (w *editWriter) done() []Block {
	for i := range w.blocks {
		b := &w.blocks[i]
		if b.Op == Moved {
			continue
		}
		if len(b.Edits) == 1 {
			b.Op = b.Edits[0].Op
		} else {
			b.Op = Changed
		}
	}
	return w.blocks
}

// spaceLost returns the space after an equal word in x if y lacks it, else "".
func spaceLost(x, y string) string {
	if strings.HasSuffix(x, " ") && !strings.HasSuffix(y, " ") {
		return " "
	}
	return ""
}

// tokens divides a block into UAX #29 segments; a space belongs to the segment before it.
func tokens(s string) []string {
	var out []string
	start := 0
	for it := words.FromString(s); it.Next(); {
		if it.Value() == " " || it.Start() == start {
			continue
		}
		out = append(out, s[start:it.Start()])
		start = it.Start()
	}
	return append(out, s[start:])
}

// keys returns the tokens' forms for comparison, in which a word at the end of a block equals one before a space.
func (d *tokenDiff) keys(tokens []string) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = d.key(strings.TrimRight(t, " \n"))
	}
	return out
}

// A group is a run of blocks that became another run, and the number of blocks of both sides between it and the previous group.
type group struct {
	gone, goneLen, come, comeLen int
}

// groups finds the runs of blocks that have enough words in common, in the same order, to count as changed.
func (d *tokenDiff) groups(gone, come []part) []group {
	var out []group
	var goneEnd, comeEnd int // of the last group
	for _, l := range d.links(gone, come) {
		if n := len(out); n > 0 && (l.gone < goneEnd || l.come < comeEnd) {
			out[n-1].goneLen += max(l.gone+1-goneEnd, 0)
			out[n-1].comeLen += max(l.come+1-comeEnd, 0)
		} else {
			out = append(out, group{l.gone - goneEnd, 1, l.come - comeEnd, 1})
		}
		goneEnd, comeEnd = max(goneEnd, l.gone+1), max(comeEnd, l.come+1)
	}
	return out
}

// A link is two blocks with common words: how many, and how many words each has.
type link struct {
	gone, come           int
	words                int
	goneWords, comeWords int
}

// links returns, in order, the pairs of blocks that are alike or one of which is a part of the other.
func (d *tokenDiff) links(gone, come []part) []link {
	all := inCommon(d.wordsOf(gone), d.wordsOf(come))
	all = slices.DeleteFunc(all, func(l link) bool {
		return l.share() < minSimilarity && !l.isPart() || (gone[l.gone].Region == visible.Title) != (come[l.come].Region == visible.Title)
	})
	together := sums(all)
	var out []link
	for i := range all {
		if all[i].share() >= minSimilarity || all[i].small() >= minPart || together[all[i].whole()].share() >= minSimilarity {
			out = append(out, all[i])
		}
	}
	return out
}

// inCommon returns the pairs of blocks with common words in the same order.
func inCommon(a, b blockWordList) []link {
	var out []link
	at, shift := 0, 0
	common := func(end int) {
		for ; at < end; at++ {
			x, y := a.block[at], b.block[at+shift]
			if n := len(out); n == 0 || out[n-1].gone != x || out[n-1].come != y {
				out = append(out, link{gone: x, come: y, goneWords: a.count[x], comeWords: b.count[y]})
			}
			out[len(out)-1].words++
		}
	}
	for _, h := range Align(a.codes, b.codes) {
		common(h.A)
		at, shift = h.AEnd, h.BEnd-h.AEnd
	}
	common(len(a.codes))
	return out
}

func (l *link) small() int { return min(l.goneWords, l.comeWords) }

// share returns the share of the two blocks' words that are common.
func (l *link) share() float64 { return float64(2*l.words) / float64(l.goneWords+l.comeWords) }

// isPart reports whether the shorter block may be a part of the longer one.
func (l *link) isPart() bool { return float64(l.words) >= minContained*float64(l.small()) }

// A side is a block, of the newer run or of the older one.
type side struct {
	newer bool
	block int
}

// whole returns the longer block of a link.
func (l *link) whole() side {
	if l.goneWords > l.comeWords {
		return side{false, l.gone}
	}
	return side{true, l.come}
}

// sums returns, for each block, all its possible parts added up.
func sums(all []link) map[side]*link {
	out := map[side]*link{}
	add := func(s side, l *link, whole, part int) {
		if out[s] == nil {
			out[s] = &link{goneWords: whole}
		}
		out[s].words += l.words
		out[s].comeWords += part
	}
	for i := range all {
		l := &all[i]
		add(side{true, l.come}, l, l.comeWords, l.goneWords)
		add(side{false, l.gone}, l, l.goneWords, l.comeWords)
	}
	return out
}

// blockWordList holds the words of a run of blocks, one block after the other, and the block of each word.
type blockWordList struct {
	codes []uint32
	block []int
	count []int // of each block
}

// wordsOf collects the words of the blocks that did not move.
func (d *tokenDiff) wordsOf(blocks []part) blockWordList {
	l := blockWordList{count: make([]int, len(blocks))}
	var found []string
	for i := range blocks {
		if blocks[i].moved {
			continue
		}
		for _, t := range d.keys(tokens(blocks[i].Text)) {
			if word, _ := tokenize.IsWord(t); word {
				found, l.block = append(found, t), append(l.block, i)
				l.count[i]++
			}
		}
	}
	l.codes = numbers(d.encode(found))
	return l
}
