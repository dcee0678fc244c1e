package search

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/varve-archive/varve/change"
)

// MaxQuery is how long a query may be, in bytes.
const MaxQuery = 4096

// maxPhrases bounds how many words and phrases a query may have: each of them costs a look at the index.
const maxPhrases = 64

// What can be wrong with a query, in sentences for the one who typed it.
var (
	ErrEmpty  = errors.New("there is nothing to search for: give a word, or a phrase in double quotes")
	ErrNoWord = errors.New("there is no word in this query: words have letters or digits")
	ErrLong   = fmt.Errorf("the query is too long: at most %d bytes, and %d words or phrases", MaxQuery, maxPhrases)
	ErrQuote  = errors.New(`a double quote opens a phrase that nothing closes: put another " at its end`)
)

// A Query is what is searched for: all of its phrases.
type Query struct {
	Phrases []Phrase
	// Plain says that something in it looks like an operator of other search engines (+a, -b, a*, title:a, OR) and was
	// read as plain words: there are no operators here.
	Plain bool
}

// A Phrase is one or more consecutive words in the form in which they are compared. One word alone is a term.
type Phrase []string

// String returns the words with spaces between them.
func (p Phrase) String() string { return strings.Join(p, " ") }

// Typed returns the phrase as a query has it.
func (p Phrase) Typed() string {
	if len(p) == 1 {
		return p[0]
	}
	return `"` + p.String() + `"`
}

// operators are those of other search engines, as far as people are used to them.
var operators = regexp.MustCompile(`^[+\-!][\pL\pN]|[\pL\pN][*~^]|^\*\pL|^\pL[\pL_.]*:[\pL\pN/\[{]|^(AND|OR|NOT|&&|\|\|)$|^/.+/$`)

// Parse reads a query. What stands in double quotes is a phrase; words outside of them must all be met. What no white
// space parts is a phrase too, so that "well-known" and a run of ideographs, each of which is a word of its own, are met
// as they stand. The error is one of [ErrEmpty], [ErrNoWord], [ErrLong] and [ErrQuote].
func Parse(q string) (Query, error) {
	var out Query
	if strings.TrimSpace(q) == "" {
		return out, ErrEmpty
	}
	if len(q) > MaxQuery {
		return out, ErrLong
	}
	parts := strings.Split(quotes.Replace(strings.ToValidUTF8(q, " ")), `"`)
	if len(parts)%2 == 0 {
		return out, ErrQuote
	}
	for i, part := range parts {
		if i%2 == 1 {
			out.add(part)
			continue
		}
		for _, chunk := range strings.Fields(part) {
			out.Plain = out.Plain || operators.MatchString(chunk)
			out.add(chunk)
		}
	}
	switch {
	case len(out.Phrases) == 0:
		return out, ErrNoWord
	case len(out.Phrases) > maxPhrases:
		return out, ErrLong
	}
	return out, nil
}

// quotes makes the double quotes of print those of a keyboard.
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‟", `"`, "«", `"`, "»", `"`, "＂", `"`)

func (q *Query) add(text string) {
	p := Phrase(Words(text))
	if len(p) > 0 && !slices.ContainsFunc(q.Phrases, func(o Phrase) bool { return slices.Equal(o, p) }) {
		q.Phrases = append(q.Phrases, p)
	}
}

// Words returns the words of a text in the form in which they are compared.
func Words(text string) []string {
	var out []string
	change.Terms(text, func(t change.Term) bool {
		out = append(out, string(t.Norm))
		return true
	})
	return out
}

// Count returns how many times the phrase stands in a text of these words. Occurrences may overlap.
func (p Phrase) Count(words []string) int {
	n := 0
	for i := range words {
		if p.At(words, i) {
			n++
		}
	}
	return n
}

// At reports whether the phrase stands at place i of a text of these words.
func (p Phrase) At(words []string, i int) bool {
	if i+len(p) > len(words) {
		return false
	}
	for j, w := range p {
		if words[i+j] != w {
			return false
		}
	}
	return true
}

// Count returns how many times the phrases of the query stand in a text of these words, taken together.
func (q *Query) Count(words []string) int {
	n := 0
	for _, p := range q.Phrases {
		n += p.Count(words)
	}
	return n
}

// A Place is where a phrase stands in a text, in bytes.
type Place struct{ Start, End int }

// Places returns where the phrases of the query stand in a text, in order; places that overlap are one.
func (q *Query) Places(text string) []Place {
	var words []string
	var at []Place
	change.Terms(text, func(t change.Term) bool {
		words, at = append(words, string(t.Norm)), append(at, Place{t.Start, t.End})
		return true
	})
	var out []Place
	for i := range words {
		for _, p := range q.Phrases {
			if !p.At(words, i) {
				continue
			}
			found := Place{at[i].Start, at[i+len(p)-1].End}
			if n := len(out); n > 0 && found.Start < out[n-1].End {
				out[n-1].End = max(out[n-1].End, found.End)
			} else {
				out = append(out, found)
			}
		}
	}
	return out
}
