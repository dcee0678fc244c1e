package search

import (
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/varve-archive/varve/archive/search/history"
)

// The fields of a document. A document is one part of a page's history.
const (
	fieldText  = "text"  // words of all versions; see [occurrence]
	fieldTitle = "title" // words of all titles; see [titleField]
	fieldURL   = "url"   // the words of the address
	fieldName  = "name"  // titles as they are written; see [nameTerm]

	// The frequency of a word in these fields is its number of occurrences in headings, or in furniture, of the newest version that shows the
	// page.
	fieldHeading   = "heading"
	fieldFurniture = "furniture"

	fieldPairs = "pairs" // adjacent common words, joined by a space; see [Index.Paired] and [occurrence]

	fieldNamed = "named" // the values that templates read; see [namedTerm]
	fieldLinks = "links" // targets and words of the links in the newest version that shows the page; see [linkTerm]
	fieldFacts = "facts" // a column: see [facts]

	fieldHistory = "history" // a column: the table of package history
	fieldEdits   = "edits"   // a column: deleted and added words, see [edits]
	fieldEdited  = "edited"  // has the term [hasIt] if the document has edits
	fieldSize    = "size"    // has the term [hasIt]; its frequency is the size of the history in bytes
)

// presentTerm is the only term of fieldEdited and fieldSize.
const presentTerm = "1"

func (f Field) indexed() string {
	return [...]string{FieldText: fieldText, FieldTitle: fieldTitle, FieldURL: fieldURL}[f]
}

// An occurrence is a word's frequency in fieldText. It encodes the largest number of occurrences in one version, and which of the
// document's versions have the word ([history.Run]). With it and the column of [facts], most questions about single words are answered
// without reading histories. The bits of the number less one, from the lowest:
//
//	2   whether the counts differ: steady, grown, dwindled or gapped
//	1   1 if the word is missing in the first or last versions; then follow
//	4   the first row that has it
//	4   the number of rows after the last that has it
//	the rest: the most occurrences, less one
//
// For most words it fits in a byte.
type occurrence int

// Values of the two lowest bits.
const (
	steady = iota
	grown
	dwindled
	gapped // some version in between lacks the word
)

const (
	farRow   = 15      // stands for 15 or more rows
	maxCount = 1 << 20 // stands for so many occurrences or more
)

// newOccurrence encodes a word of a document with a number of rows.
func newOccurrence(w history.Word, rows int) occurrence {
	most, shape := min(w.Most, maxCount), grown
	switch {
	case w.Gaps:
		shape = gapped
	case w.Dwindled:
		shape = dwindled
	case w.Steady && most < maxCount:
		shape = steady
	}
	if w.From == 0 && w.To == rows {
		return occurrence(1 + (most-1)<<3 + shape)
	}
	from, behind := min(w.From, farRow), min(rows-w.To, farRow)
	return occurrence(1 + (((most-1)<<4|behind)<<7 | from<<3 | 1<<2 | shape))
}

// run decodes which rows have the word, and the most occurrences in one. ok is false if that is not exact.
func (o occurrence) run(rows int) (r history.Run, most int, ok bool) {
	bits := int(o - 1)
	shape := bits & 3
	from, behind := 0, 0
	most = bits>>3 + 1
	if bits&4 != 0 {
		from, behind, most = bits>>3&15, bits>>7&15, bits>>11+1
	}
	r = history.Run{From: from, To: rows - behind, Gaps: shape == gapped, Steady: shape == steady, Dwindled: shape == dwindled}
	return r, most, shape != gapped && from < farRow && behind < farRow && most < maxCount
}

// most returns the largest number of occurrences in one version.
func (o occurrence) most() int {
	bits := int(o - 1)
	if bits&4 != 0 {
		return bits>>11 + 1
	}
	return bits>>3 + 1
}

// changed reports whether some step in the document may be a change of kind k for the word.
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

// A field passes terms to the index that are already counted. bleve's own fields take text. It implements [index.Field].
type field struct {
	name  string
	terms []fieldTerm
	known map[string]bool // terms of the field; used only by add
}

type fieldTerm struct {
	term   string
	number int
}

func (f *field) Name() string              { return f.name }
func (f *field) ArrayPositions() []uint64  { return nil }
func (f *field) Analyze()                  {}
func (f *field) Value() []byte             { return nil }
func (f *field) NumPlainTextBytes() uint64 { return 0 }
func (f *field) Size() int                 { return termSize * len(f.terms) }
func (f *field) EncodedFieldType() byte    { return 't' }

// AnalyzedLength implements [index.Field]. Nothing uses the length, and a small one takes little room in each posting.
func (f *field) AnalyzedLength() int { return 1 }

// AnalyzedTokenFrequencies implements [index.Field]. Segments take the terms from the keys.
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies {
	out := make(index.TokenFrequencies, len(f.terms))
	all := make([]index.TokenFreq, len(f.terms))
	for i, t := range f.terms {
		all[i].SetFrequency(t.number)
		out[t.term] = &all[i]
	}
	return out
}

func (f *field) Options() index.FieldIndexingOptions { return index.IndexField }

func newField(name string, n int) *field { return &field{name: name, terms: make([]fieldTerm, 0, n)} }

// put adds a term, which must be new to the field, with its frequency.
func (f *field) put(t string, number int) { f.terms = append(f.terms, fieldTerm{t, number}) }

// add adds a term that occurs once, unless the field has it.
func (f *field) add(t string) {
	if f.known == nil {
		f.known = map[string]bool{}
	}
	if !f.known[t] {
		f.known[t] = true
		f.put(t, 1)
	}
}

// count adds the distinct words with their numbers of occurrences.
func (f *field) count(words []string) {
	n := map[string]int{}
	for _, w := range words {
		n[term(w)]++
	}
	for w, times := range n {
		f.put(w, times)
	}
}

// termSize is roughly the memory that a term takes until it is written, in bytes.
const termSize = 64

// A column is a stored field with one value for each document; it isn't searched.
type column struct {
	field
	bytes []byte
}

func newColumn(name string, value []byte) *column { return &column{field{name: name}, value} }

func (c *column) Value() []byte                       { return c.bytes }
func (c *column) Options() index.FieldIndexingOptions { return index.StoreField }
func (c *column) Size() int                           { return len(c.bytes) }

// maxTerm is the length in bytes above which a word is clipped; see [history.Clip]. Every clipped word contains clipped.
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

// A phrase of two common words ("of the") has nearly every page as a candidate, and reading all their histories takes seconds. So pairs of
// adjacent common words are indexed like words. Longer phrases that contain such pairs have few candidates.

// pair returns the term of fieldPairs for a phrase of two common words in the text.
func (r reader) pair(field string, p Phrase) (t string, ok bool) {
	if field != fieldText || len(p) != 2 || !r.paired(term(p[0])) || !r.paired(term(p[1])) {
		return "", false
	}
	return term(p[0]) + " " + term(p[1]), true
}

// pairs returns the distinct terms of fieldPairs that a phrase in the text contains.
func (r reader) pairs(field string, p Phrase) (out []string) {
	for i := range len(p) - 1 {
		if t, ok := r.pair(field, p[i:i+2]); ok {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
