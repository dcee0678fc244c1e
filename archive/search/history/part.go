package history

import (
	"encoding/binary"
	"iter"

	"github.com/varve-archive/varve/internal/packed"
)

// A Part is a finished stretch of a history.
type Part struct {
	Rows  []Row
	Table []byte // for [ParseTable]
	words []wordState
	pairs []wordState
	shown int32

	places []passage
	ids    []uint32
}

// A Word is a word of a part, with its occurrences.
type Word struct {
	Text string // in the form of [Clip]
	Most int    // the most occurrences in one version
	Run
	// Heading and Furniture count its occurrences in blocks of that [Kind], in the newest version that shows the page.
	Heading, Furniture int
}

// Words yields the distinct words of all versions of the part, including the carried one.
func (p *Part) Words() iter.Seq[Word] { return p.each(p.words) }

// Pairs yields the distinct pairs of common words likewise, joined by a space. See [Builder.Paired].
func (p *Part) Pairs() iter.Seq[Word] { return p.each(p.pairs) }

func (p *Part) each(words []wordState) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		for i := range words {
			if !yield(words[i].word(len(p.Rows), p.shown)) {
				return
			}
		}
	}
}

// Len returns the number of distinct words.
func (p *Part) Len() int { return len(p.words) }

// Take returns the part that was added since the last Take. The next part begins with this one's last version. Its words are valid until
// [Builder.Reset].
func (b *Builder) Take() Part {
	b.taken = true
	return Part{Rows: b.rows, words: b.words, pairs: b.pairs, shown: b.shown, Table: b.encode(), places: b.places, ids: b.ids}
}

// carry begins another part with the last version of the part that was taken, cut into the same passages.
func (b *Builder) carry() {
	from := *b
	b.begin()
	row, list := from.rows[len(from.rows)-1], from.list[len(from.list)-1]
	var out []uint32
	for _, p := range list {
		start := len(b.ids)
		for _, n := range from.ids[from.places[p].from:from.places[p].to] {
			n := b.number([]byte(from.words[n].text))
			w := &b.words[n]
			w.now++
			w.most++
			b.ids = append(b.ids, n)
		}
		out, _ = b.passage(out, start)
	}
	b.touchedPairs = b.touchedPairs[:0]
	b.tallyPairs(out, 1)
	for _, n := range b.touchedPairs {
		w := &b.pairs[n]
		w.now, w.most, w.seen = w.step, w.step, false
	}
	row.Carried, row.Deleted, row.Added = true, 0, 0
	b.rows, b.list, b.lists = append(b.rows, row), append(b.list, out), len(out)
}

// passageFrame is the number of bytes that encode adds around the words of a passage.
const passageFrame = 3

// encode returns the table. All numbers are varints:
//
//	the number of distinct strings, then each with its length in front
//	the number of rows, then each: the step from the last First, Last - First, flags, Words, Deleted, Added, Status, and
//	    Title, Lang, MIME and Fields as numbers of strings
//	for each row its list: how many passages at the beginning and at the end are those of the row before, the number of
//	    those between, and each of them as the step from the one before plus one
//	the passages, each as its words with a space before each and after the last, ended by a newline
func (b *Builder) encode() []byte {
	out := make([]byte, 0, b.bytes+3*len(b.places)+32*len(b.rows)+b.lists/4+64)
	texts, number := b.strings()
	out = binary.AppendUvarint(out, uint64(len(texts)))
	for _, s := range texts {
		out = packed.AppendText(out, s)
	}
	out = binary.AppendUvarint(out, uint64(len(b.rows)))
	first := int64(0)
	for i := range b.rows {
		r := &b.rows[i]
		out = r.appendNumbers(out, &first)
		for _, s := range []string{r.Title, r.Lang, r.MIME, r.Fields} {
			out = binary.AppendUvarint(out, uint64(number[s]))
		}
	}
	var before []uint32
	for _, list := range b.list {
		out = appendList(out, before, list)
		before = list
	}
	for i := range b.places { // words and frame
		out = append(out, ' ')
		out = append(out, b.places[i].text...)
		out = append(out, ' ', '\n')
	}
	return out
}

// strings numbers the distinct strings of the rows.
func (b *Builder) strings() (texts []string, number map[string]int) {
	number = map[string]int{}
	for i := range b.rows {
		for _, s := range []string{b.rows[i].Title, b.rows[i].Lang, b.rows[i].MIME, b.rows[i].Fields} {
			if _, ok := number[s]; !ok {
				number[s] = len(texts)
				texts = append(texts, s)
			}
		}
	}
	return texts, number
}

// appendNumbers appends the numbers of a row. first is the First of the row before.
func (r *Row) appendNumbers(out []byte, first *int64) []byte {
	out = binary.AppendVarint(out, int64(r.First)-*first)
	out = binary.AppendVarint(out, int64(r.Last)-int64(r.First))
	*first = int64(r.First)
	flags := byte(0)
	for i, f := range r.flags() {
		if *f {
			flags |= 1 << i
		}
	}
	out = append(out, flags)
	for _, n := range []int{r.Words, r.Deleted, r.Added, r.Status} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	return out
}

func appendList(out []byte, before, list []uint32) []byte {
	head, tail := alike(before, list)
	y := list[head : len(list)-tail]
	out = binary.AppendUvarint(out, uint64(head))
	out = binary.AppendUvarint(out, uint64(tail))
	out = binary.AppendUvarint(out, uint64(len(y)))
	last := int64(-1)
	if head > 0 {
		last = int64(list[head-1])
	}
	for _, p := range y {
		out = binary.AppendVarint(out, int64(p)-last-1)
		last = int64(p)
	}
	return out
}
