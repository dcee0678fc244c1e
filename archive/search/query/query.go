package query

import (
	"slices"
	"strings"
)

// A Query is what a person looks for: all clauses have to hold. At least one of them names something to find.
type Query struct{ Clauses []Clause }

// A Clause is a word, or several one after the other, and where they have to be.
type Clause struct {
	Not   bool // must not be there
	Field Field
	Match Match
	// Words are in the form of [Words]; of a [URL] in that of [AddressWords]; of a [Site] the one domain. There is one
	// word unless Match is Exact.
	Words []string
	// Name is that of a Named field. Numbers are the range that was asked for, nil for words; Words has then what was typed.
	Name    string
	Numbers *Range
	// Or has other wordings that count as much as Words, such as synonyms. [Parse] leaves it empty.
	Or [][]string
}

// A Field says where the words of a clause have to be.
type Field uint8

// The fields.
const (
	Anywhere Field = iota // in the visible text, which includes the title
	Title
	URL
	Site
	Named // one of those that the parser is told of
)

// A Range is a range of numbers, both ends included.
type Range struct{ From, To float64 }

// A Name is that of a field of a collection. Range reads a value as a range if the values of the field have an order, and is
// nil if they are words.
type Name struct {
	Name  string
	Range func(typed string) (r Range, ok bool)
}

var fieldNames = [...]string{Anywhere: "", Title: "title:", URL: "url:", Site: "site:"}

// A Match says which words a clause means.
type Match uint8

// The matches.
const (
	Exact Match = iota
	Prefix
	Near // one or two letters wrong, see [Wrong]
)

var matchSigns = [...]string{Exact: "", Prefix: "*", Near: "~"}

// String writes the query as one would type it. Parsed, it is the same query, but for Or.
func (q Query) String() string {
	parts := make([]string, len(q.Clauses))
	for i := range q.Clauses {
		parts[i] = q.Clauses[i].String()
	}
	return strings.Join(parts, " ")
}

// String writes the clause as one would type it.
func (c *Clause) String() string {
	text := strings.Join(c.Words, " ")
	if field, _ := fieldOf(text); len(c.Words) > 1 || c.Field == Anywhere && field != Anywhere {
		text = `"` + text + `"`
	}
	sign := ""
	if c.Not {
		sign = "-"
	}
	if c.Field == Named {
		return sign + c.Name + ":" + text
	}
	return sign + fieldNames[c.Field] + text + matchSigns[c.Match]
}

// Wanted returns the clauses that have to be found in a text or an address: all but those with Not and sites.
func (q Query) Wanted() []Clause {
	var out []Clause
	for _, c := range q.Clauses {
		if !c.Not && c.Field != Site {
			out = append(out, c)
		}
	}
	return out
}

// Sites returns the domains that results have to be on, and those they must not be on.
func (q Query) Sites() (on, off []string) {
	for _, c := range q.Clauses {
		switch {
		case c.Field == Site && c.Not:
			off = append(off, c.Words[0])
		case c.Field == Site:
			on = append(on, c.Words[0])
		}
	}
	return on, off
}

// has reports whether the query has the clause already.
func (q *Query) has(c *Clause) bool {
	return slices.ContainsFunc(q.Clauses, func(o Clause) bool {
		return o.Not == c.Not && o.Field == c.Field && o.Name == c.Name && o.Match == c.Match && slices.Equal(o.Words, c.Words)
	})
}
