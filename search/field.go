package search

import (
	"fmt"

	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"
	"github.com/zeebo/xxh3"
)

// The fields of a change. In the first three are the terms and, where both versions have a text, the runs of two words
// with a space between them; their frequencies say how many times they went or came.
const (
	fieldDeleted     = "deleted"      // in the older version, not in the newer; frequency: in the older
	fieldSemiDeleted = "semi-deleted" // in both, fewer times in the newer; frequency: the difference
	fieldAdded       = "added"        // not in the older version, in the newer; frequency: in the newer

	fieldOlder = "older" // the windows of the older version, with positions; see [window]
	fieldNewer = "newer" // those of the newer one

	fieldCut = "cut" // deleted terms of edits of the content, stop words aside: what [Index.Terms] counts
	fieldNew = "new" // added ones

	fieldPage = "page" // SURT, of changes and of the page's own document
)

// maxTerm is the length in bytes from which on a term is kept as its beginning and its hash: what has no white space and
// no end (a picture in base64) is a word too.
const maxTerm = 120

func term(w string) string {
	if len(w) <= maxTerm {
		return w
	}
	return fmt.Sprintf("%s\x01%016x", w[:maxTerm/2], xxh3.HashString(w))
}

// A field hands ready counted terms to the index; bleve's own fields would have them written out as text first.
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

// add counts a term n times.
func (f *field) add(t string, n int) {
	if f.tokens == nil {
		f.tokens = index.TokenFrequencies{}
	}
	tf := &index.TokenFreq{Term: []byte(t)}
	tf.SetFrequency(n)
	f.tokens[t] = tf
	f.length += n
}

// place notes that a word stands at a position, from 1.
func (f *field) place(w string, position int) {
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

// keyword is a field of one value.
func keyword(name, value string) *field {
	f := &field{name: name}
	f.add(value, 1)
	return f
}
