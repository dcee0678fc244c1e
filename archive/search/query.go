package search

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/internal/sentinel"
)

// MaxQuery is the greatest length of a query in bytes.
const MaxQuery = 4096

// maxPhrases bounds the words and phrases of a query, because each costs a lookup.
const maxPhrases = 64

// The errors of [Parse], in sentences for the person who typed the query.
const (
	ErrEmpty  = query.ErrEmpty
	ErrNoWord = query.ErrNoWord
	ErrQuote  = sentinel.Error(`a double quote opens a phrase that nothing closes: put another " at its end`)
)

// ErrLong is the error of [Parse] for a query that is too long.
var ErrLong = fmt.Errorf("the query is too long: at most %d bytes, and %d words or phrases", MaxQuery, maxPhrases)

// A Query is a list of phrases. A result has to match all of them.
type Query struct {
	Phrases []Phrase
	// Plain says that the query seems to use operators of other search engines (+a, -b, a*, title:a, OR). There are none here, so they are
	// read as words.
	Plain bool
}

// A Phrase is one or more consecutive words, in the form of [Words]. A single word is a term.
type Phrase []string

// String returns the words, joined by spaces.
func (p Phrase) String() string { return strings.Join(p, " ") }

// Typed returns the phrase as a person would type it.
func (p Phrase) Typed() string {
	if len(p) == 1 {
		return p[0]
	}
	return `"` + p.String() + `"`
}

// operators matches what looks like an operator of other search engines.
var operators = regexp.MustCompile(`^[+\-!][\pL\pN]|[\pL\pN][*~^]|^\*\pL|^\pL[\pL_.]*:[\pL\pN/\[{]|^(AND|OR|NOT|&&|\|\|)$|^/.+/$`)

// Parse reads a query. All words, and all phrases in double quotes, must match. Text without white space that is several words is a phrase
// too: "well-known", or a run of ideographs, each of which is a word. The error is one of [ErrEmpty], [ErrNoWord], [ErrLong] and
// [ErrQuote].
func Parse(q string) (Query, error) {
	var out Query
	if strings.TrimSpace(q) == "" {
		return out, ErrEmpty
	}
	if len(q) > MaxQuery {
		return out, ErrLong
	}
	parts := strings.Split(query.PlainQuotes(strings.ToValidUTF8(q, " ")), `"`)
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

func (q *Query) add(text string) {
	p := Phrase(Words(text))
	if len(p) > 0 && !slices.ContainsFunc(q.Phrases, func(o Phrase) bool { return slices.Equal(o, p) }) {
		q.Phrases = append(q.Phrases, p)
	}
}

// Words returns the words of a text as they are compared: UAX #29 words in lower case and NFC.
func Words(text string) []string { return query.Words(text) }

// Count returns how often the phrase occurs among words. Occurrences may overlap.
func (p Phrase) Count(words []string) int {
	n := 0
	for i := range words {
		if p.At(words, i) {
			n++
		}
	}
	return n
}

// At reports whether the phrase occurs at words[i].
func (p Phrase) At(words []string, i int) bool {
	return i+len(p) <= len(words) && slices.Equal(p, words[i:i+len(p)])
}

// needles returns the phrases in the form in which they are counted in histories.
func (q *Query) needles() (out []history.Needle) {
	for _, p := range q.Phrases {
		out = append(out, history.NewNeedle(p))
	}
	return out
}

// Count returns how often the phrases of the query occur among words, all together.
func (q *Query) Count(words []string) int {
	n := 0
	for _, p := range q.Phrases {
		n += p.Count(words)
	}
	return n
}

// A Place is the position of a word or phrase in a text, in bytes.
type Place = query.Place

// Places returns where the phrases of the query occur in a text, in order. It merges places that overlap.
func (q *Query) Places(text string) []Place {
	return query.PlacesOf(text, func(words []string) []int {
		out := make([]int, len(words))
		for i := range words {
			for _, p := range q.Phrases {
				if p.At(words, i) {
					out[i] = max(out[i], len(p))
				}
			}
		}
		return out
	})
}
