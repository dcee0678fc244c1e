package search

import (
	"fmt"

	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"
	"github.com/zeebo/xxh3"
)

// The fields of a change. The first three hold terms and, if both versions have a text, pairs of words joined by a
// space. Their frequencies say how often the term was deleted or added.
const (
	fieldDeleted     = "deleted"      // in the older version only; frequency: in the older
	fieldSemiDeleted = "semi-deleted" // in both, less often in the newer; frequency: the difference
	fieldAdded       = "added"        // in the newer version only; frequency: in the newer

	fieldOlder = "older" // the windows of the older version, with positions; see [window]
	fieldNewer = "newer" // the windows of the newer version

	fieldCut = "cut" // deleted terms of content edits, without stop words: for [Index.Terms]
	fieldNew = "new" // added ones

	fieldPage = "page" // SURT; in changes and in the page's own document
)

// maxTerm is the length in bytes above which a term is stored as its beginning and a hash. Endless text without
// spaces, such as a picture in base64, is a word too.
const maxTerm = 120

// term returns the form of a word in the index.
func term(w string) string {
	if len(w) <= maxTerm {
		return w
	}
	return fmt.Sprintf("%s\x01%016x", w[:maxTerm/2], xxh3.HashString(w))
}

// A field passes terms to the index that are already counted. bleve's own fields take text.
type field struct {
	name   string
	tokens index.TokenFrequencies
	length int
	places bool
}

var _ document.Field = (*field)(nil)

func (f *field) Name() string                                     { return f.name }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) Analyze()                                         {}
func (f *field) Value() []byte                                    { return nil }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }
func (f *field) Size() int                                        { return 64 * len(f.tokens) }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) AnalyzedLength() int                              { return f.length }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.tokens }

func (f *field) Options() index.FieldIndexingOptions {
	if f.places {
		return index.IndexField | index.IncludeTermVectors
	}
	return index.IndexField
}

// add adds a term that occurs n times.
func (f *field) add(t string, n int) {
	if f.tokens == nil {
		f.tokens = index.TokenFrequencies{}
	}
	tf := &index.TokenFreq{Term: []byte(t)}
	tf.SetFrequency(n)
	f.tokens[t] = tf
	f.length += n
}

// addAt adds a word at a position, counted from 1.
func (f *field) addAt(w string, position int) {
	if f.tokens == nil {
		f.tokens = index.TokenFrequencies{}
	}
	tf := f.tokens[w]
	if tf == nil {
		tf = &index.TokenFreq{Term: []byte(w)}
		f.tokens[w] = tf
	}
	tf.Locations = append(tf.Locations, &index.TokenLocation{Position: position})
	tf.SetFrequency(len(tf.Locations))
	f.length++
}

// keyword returns a field with a single value.
func keyword(name, value string) *field {
	f := &field{name: name}
	f.add(value, 1)
	return f
}
