package search

import (
	"iter"
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/varve-archive/varve/archive/search/history"
)

// The fields of a document, which is a part of a page's history.
const (
	fieldText  = "text"  // the words of all its versions; see [occurrence]
	fieldTitle = "title" // the words of all their titles
	fieldURL   = "url"   // the words of the address
	fieldName  = "name"  // the titles themselves; see [nameTerm]

	// The frequencies of words in these say how often they occur there, in the newest version that shows the page.
	fieldHeading   = "heading"
	fieldFurniture = "furniture"

	fieldPairs = "pairs" // common words that follow each other, with a space between; see [Index.Paired] and [occurrence]

	fieldNamed = "named" // the values that templates read; see [namedTerm]
	fieldLinks = "links" // where the newest version that shows the page leads, and by which words; see [linkTerm]
	fieldFacts = "facts" // a column: see [facts]

	fieldHistory = "history" // a column: the table, package history
	fieldEdits   = "edits"   // a column: what edits deleted and added, see [edits]
	fieldEdited  = "edited"  // [hasEdits], if there are any
)

// hasEdits is the one term of fieldEdited.
const hasEdits = "1"

// indexed returns the index field of a [Field].
func (f Field) indexed() string {
	return [...]string{FieldText: fieldText, FieldTitle: fieldTitle, FieldURL: fieldURL}[f]
}

// An occurrence is what the frequency of a word in fieldText says: how often one version had it at most, and which of the
// document's versions have it ([history.Run]). With it, and with the column of [facts], most questions about single words
// can be answered without the history. The bits of such a number, less one, from the lowest:
//
//	2   whether the counts differ: steady, grown, dwindled, or with gaps
//	1   whether a version before or behind hasn't the word, and then
//	4   the first row that has it
//	4   the rows behind the last that has it
//	the rest is the most occurrences, less one
//
// For most words it is a byte. It is 1 for a word that is in all versions once, which takes no room at all (package segment).
type occurrence int

// What the two lowest bits say.
const (
	steady = iota
	grown
	dwindled
	gapped // some version between has not the word
)

const (
	farRow     = 15      // so many rows, or more
	mostCounts = 1 << 20 // so many occurrences, or more
)

// newOccurrence describes a word of a document with so many rows.
func newOccurrence(w history.Word, rows int) occurrence {
	most, shape := min(w.Most, mostCounts), grown
	switch {
	case w.Gaps:
		shape = gapped
	case w.Dwindled:
		shape = dwindled
	case w.Steady && most < mostCounts:
		shape = steady
	}
	if w.From == 0 && w.To == rows {
		return occurrence(1 + (most-1)<<3 + shape)
	}
	from, behind := min(w.From, farRow), min(rows-w.To, farRow)
	return occurrence(1 + (((most-1)<<4|behind)<<7 | from<<3 | 1<<2 | shape))
}

// run returns which rows of so many have the word, and how often at most; ok is false if it can't tell.
func (o occurrence) run(rows int) (r history.Run, most int, ok bool) {
	bits := int(o - 1)
	shape := bits & 3
	from, behind := 0, 0
	most = bits>>3 + 1
	if bits&4 != 0 {
		from, behind, most = bits>>3&15, bits>>7&15, bits>>11+1
	}
	r = history.Run{From: from, To: rows - behind, Gaps: shape == gapped, Steady: shape == steady, Dwindled: shape == dwindled}
	return r, most, shape != gapped && from < farRow && behind < farRow && most < mostCounts
}

// most returns how often a version has the word at most.
func (o occurrence) most() int {
	bits := int(o - 1)
	if bits&4 != 0 {
		return bits>>11 + 1
	}
	return bits>>3 + 1
}

// changed reports whether a step may have done something to the word that k names.
func (o occurrence) changed(k Kind) bool {
	bits := int(o - 1)
	shape := bits & 3
	switch k {
	case Deleted:
		return shape == gapped || bits&4 != 0 && bits>>7&15 > 0
	case SemiDeleted:
		return shape == gapped || shape == dwindled
	}
	return true
}

// A field passes terms to the index that are already counted. bleve's own fields take text.
type field struct {
	name  string
	terms []fieldTerm
	known map[string]bool // terms, if they may be added twice
}

type fieldTerm struct {
	term   string
	number int
}

func (f *field) Name() string                                     { return f.name }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) Analyze()                                         {}
func (f *field) Value() []byte                                    { return nil }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }
func (f *field) Size() int                                        { return termSize * len(f.terms) }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) AnalyzedLength() int                              { return len(f.terms) }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return nil }

func (f *field) Options() index.FieldIndexingOptions { return index.IndexField }

// Terms implements [segment.Terms].
func (f *field) Terms() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, t := range f.terms {
			if !yield(t.term, t.number) {
				return
			}
		}
	}
}

// newField returns a field with room for n terms.
func newField(name string, n int) *field { return &field{name: name, terms: make([]fieldTerm, 0, n)} }

// put adds a term, which the field must not have, with a number.
func (f *field) put(t string, number int) { f.terms = append(f.terms, fieldTerm{t, number}) }

// add adds a term with a number, unless the field has it.
func (f *field) add(t string, number int) {
	if f.known == nil {
		f.known = map[string]bool{}
	}
	if !f.known[t] {
		f.known[t] = true
		f.put(t, number)
	}
}

// count adds words with their numbers of occurrences.
func (f *field) count(words []string) {
	n := map[string]int{}
	for _, w := range words {
		n[term(w)]++
	}
	for w, times := range n {
		f.put(w, times)
	}
}

// termSize is about what a term takes in memory until it is written, in bytes.
const termSize = 64

// A column is a field of which a document has one value, which is not searched.
type column struct {
	field
	bytes []byte
}

func newColumn(name string, value []byte) *column { return &column{field{name: name}, value} }

// Column implements [segment.Column].
func (c *column) Column() []byte                      { return c.bytes }
func (c *column) Options() index.FieldIndexingOptions { return index.DocValues }
func (c *column) Size() int                           { return len(c.bytes) }

// maxTerm is the length in bytes above which a word is clipped; see [history.Clip]. clipped is in all words that are.
const (
	maxTerm = 120
	clipped = "\x01"
)

// term returns the form of a word in the index.
func term(w string) string { return history.Clip(w) }

// maxName is the length in bytes at which a title is cut in the index.
const maxName = 200

// nameTerm is a title in fieldName: its words, and the title as it is written.
//
//	WORD WORD WORD 0 title
func nameTerm(title string) string {
	if len(title) > maxName {
		title = strings.ToValidUTF8(title[:maxName], "")
	}
	return strings.Join(Words(title), " ") + nameMark + title
}

const nameMark = "\x00"

// Common words are on nearly every page, so a phrase of two of them, "of the", has nearly every page as a candidate, and to
// read all their histories takes seconds. Such pairs are therefore counted when the index is built, as if each were a
// word. A longer phrase with pairs in it has few candidates.

// pair returns the term of fieldPairs that a phrase is, in the text.
func (r reader) pair(field string, p Phrase) (t string, ok bool) {
	if field != fieldText || len(p) != 2 || !r.paired(term(p[0])) || !r.paired(term(p[1])) {
		return "", false
	}
	return term(p[0]) + " " + term(p[1]), true
}

// pairs returns the distinct terms of fieldPairs that are in a phrase, in the text.
func (r reader) pairs(field string, p Phrase) (out []string) {
	for i := range len(p) - 1 {
		if t, ok := r.pair(field, p[i:i+2]); ok {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
