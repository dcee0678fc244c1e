package search

import (
	"strings"

	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/varve-archive/varve/search/history"
)

// The fields of a document, which is a part of a page's history.
const (
	fieldText  = "text"  // the words of all its versions; see [occurrence]
	fieldTitle = "title" // the words of all their titles
	fieldURL   = "url"   // the words of the address
	fieldName  = "name"  // the titles themselves; see [nameTerm]

	fieldHistory = "history" // stored: the packed table, package history
	fieldEdits   = "edits"   // stored: what edits deleted and added, see [edits]; indexed: [hasEdits], if there are any
)

// hasEdits is the one term of fieldEdits.
const hasEdits = "1"

// fieldNames gives the index field of each [Field].
var fieldNames = [...]string{FieldText: fieldText, FieldTitle: fieldTitle, FieldURL: fieldURL}

// An occurrence is what the frequency of a word in fieldText says: how many times one version had it at most, in steps,
// and what its steps did to it. Such a number is one byte, and 1 for a word that stands once and was never deleted, which
// spares a posting list if no other document has the word.
type occurrence int

// occurrenceSteps bounds the steps, so that the number stays one byte with the bit that the library adds.
const occurrenceSteps = 14

const occurrenceMarks = history.Vanished | history.Dwindled

func newOccurrence(w history.Word) occurrence {
	step := 0
	for n := w.Most; n > 1 && step < occurrenceSteps; step++ {
		n = n * 3 / 4
	}
	return occurrence(1 + step*4 + int(w.Marks&occurrenceMarks))
}

func (o occurrence) marks() history.Marks { return history.Marks(o-1) & occurrenceMarks }

// A field passes terms to the index that are already counted, and a value to store. bleve's own fields take text.
type field struct {
	name   string
	tokens index.TokenFrequencies
	slab   []index.TokenFreq // memory of tokens
	value  []byte            // to store, nil for none
}

var _ document.Field = (*field)(nil)

func (f *field) Name() string                                     { return f.name }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) Analyze()                                         {}
func (f *field) Value() []byte                                    { return f.value }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }
func (f *field) Size() int                                        { return termSize*len(f.tokens) + len(f.value) }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.tokens }

// AnalyzedLength is what the library stores with each posting. It must not be 0, and 1 takes the least room.
func (f *field) AnalyzedLength() int { return 1 }

func (f *field) Options() (o index.FieldIndexingOptions) {
	if f.tokens != nil {
		o |= index.IndexField
	}
	if f.value != nil {
		o |= index.StoreField
	}
	return o
}

// newField returns a field with room for n terms.
func newField(name string, n int) *field {
	return &field{name: name, tokens: make(index.TokenFrequencies, n), slab: make([]index.TokenFreq, 0, n)}
}

// add adds a term with a frequency, unless the field has it.
func (f *field) add(t string, frequency int) {
	if f.tokens[t] != nil {
		return
	}
	if len(f.slab) == cap(f.slab) {
		f.slab = make([]index.TokenFreq, 0, 16)
	}
	f.slab = append(f.slab, index.TokenFreq{})
	tf := &f.slab[len(f.slab)-1]
	tf.SetFrequency(frequency)
	f.tokens[t] = tf
}

// termSize is about what a term takes in memory until it is written, in bytes.
const termSize = 200

// stored returns a field that is only stored.
func stored(name string, value []byte) *field { return &field{name: name, value: value} }

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
