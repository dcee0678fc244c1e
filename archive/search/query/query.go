package query

import (
	"slices"
	"strings"
)

// A Query is what a person searches for. At least one of its clauses is neither an exclusion nor a site.
type Query struct {
	Clauses []Clause
	All     bool // optional clauses are required too
	// Wordless says that nothing in it has a letter or a digit: it finds nothing, for the reason in [ErrNoWord].
	Wordless bool
}

// A Clause is a word or phrase, and where it has to occur. It is required unless Not, Optional or Group is set.
type Clause struct {
	Not      bool // must not occur
	Optional bool // may be missing
	// Group is the number of a group of consecutive clauses of which one has to hold; 0 for none.
	Group int
	Field Field
	Match Match
	// Words are in the form of [Words]; for [URL] in that of [AddressWords]; for [Site] there is one, the domain. There is one word unless
	// Match is Exact.
	Words []string
	// Name is the name of a Named field. Numbers is the range that was asked for, nil for words; Words then has the text that was typed.
	Name    string
	Numbers *Range
	// Or has other wordings with the weight of Words, such as synonyms; Forms has other forms of a word, with less weight, and for the
	// beginning of words other ones, with the same. [Parse] leaves both empty.
	Or    [][]string
	Forms []string
}

// StandsAt reports whether the clause matches at words[at], in any wording or form.
func (c *Clause) StandsAt(words []string, at int) bool {
	has := func(phrase []string) bool { return follows(phrase, words, at) }
	return has(c.Words) || slices.ContainsFunc(c.Or, has) || slices.Contains(c.Forms, words[at])
}

// A Field says where the words of a clause have to occur.
type Field uint8

const (
	Anywhere Field = iota // in the visible text, which includes the title
	Title
	URL
	Site
	Named // a field that the parser was given
)

// A Range is a range of numbers, both ends included.
type Range struct{ From, To float64 }

// A Name is a named field of a collection. Range parses a value as a range; it is nil if the field's values are words.
type Name struct {
	Name  string
	Range func(typed string) (r Range, ok bool)
}

// prefix is the field's prefix in a query.
func (f Field) prefix() string {
	return [...]string{Anywhere: "", Title: "title:", URL: "url:", Site: "site:", Named: ""}[f]
}

// A Match says which words match a clause.
type Match uint8

const (
	Exact Match = iota
	Prefix
	Near // one or two letters wrong, see [Wrong]
)

// sign is what follows the word in a query.
func (m Match) sign() string { return [...]string{Exact: "", Prefix: "*", Near: "~"}[m] }

// String writes the query as one would type it. Parsing it gives the same query, except for Or, Forms and All.
func (q Query) String() string {
	if q.Wordless {
		return q.Clauses[0].Words[0]
	}
	var b strings.Builder
	for i := range q.Clauses {
		c := &q.Clauses[i]
		within := c.Group > 0 && i > 0 && q.Clauses[i-1].Group == c.Group
		switch {
		case within:
			b.WriteString(" OR ")
		case i > 0:
			b.WriteByte(' ')
		}
		if c.Group > 0 && !within {
			b.WriteByte('(')
		}
		b.WriteString(c.String())
		if c.Group > 0 && (i+1 == len(q.Clauses) || q.Clauses[i+1].Group != c.Group) {
			b.WriteByte(')')
		}
	}
	return b.String()
}

// String writes the clause as one would type it.
func (c *Clause) String() string {
	text := strings.Join(c.Words, " ")
	field, _ := fieldOf(text)
	sign := ""
	switch {
	case c.Optional:
		text = c.chunk()
	case len(c.Words) > 1 || c.Field == Anywhere && field != Anywhere:
		text = `"` + text + `"`
	case c.plain() && !c.Not && c.Group == 0:
		sign = "+"
	}
	if c.Not {
		sign = "-"
	}
	if c.Field == Named {
		return sign + c.Name + ":" + text
	}
	return sign + c.Field.prefix() + text + c.Match.sign()
}

// chunk joins the words with hyphens, so that they are parsed as one item.
func (c *Clause) chunk() string { return strings.Join(c.Words, "-") }

// plain reports whether a clause searches the text and has no sign.
func (c *Clause) plain() bool { return c.Field == Anywhere && c.Match == Exact }

// Relaxed returns the query with its required words and phrases made optional. ok is false if it has none, or no optional clauses beside
// them.
func (q Query) Relaxed() (out Query, ok bool) {
	optional := false
	out.Clauses = slices.Clone(q.Clauses)
	for i := range out.Clauses {
		c := &out.Clauses[i]
		optional = optional || c.Optional
		if c.plain() && !c.Not && !c.Optional {
			c.Optional, c.Group, ok = true, 0, true
		}
	}
	return out, ok && optional && !q.All
}

// Wanted returns the clauses that are scored: all but exclusions and sites. Required ones come first, then groups, then optional ones.
func (q Query) Wanted() []Clause {
	var must, groups, optional []Clause
	for _, c := range q.Clauses {
		switch {
		case c.Not || c.Field == Site:
		case c.Group > 0:
			groups = append(groups, c)
		case c.Optional && !q.All:
			optional = append(optional, c)
		default:
			must = append(must, c)
		}
	}
	return slices.Concat(must, groups, optional)
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

// asks reports whether two clauses are equal except for being required or optional.
func (c *Clause) asks(o *Clause) bool {
	return o.Not == c.Not && o.Field == c.Field && o.Name == c.Name && o.Match == c.Match && slices.Equal(o.Words, c.Words)
}
