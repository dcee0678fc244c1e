package rank

import (
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/search/query"
)

// firstIdeograph is the first character of the scripts in which a single character is a word.
const firstIdeograph = '\u2e80'

// Prepare removes single stop words, unless the query has nothing else, and adds synonyms.
func (r *Ranking) Prepare(q query.Query) query.Query {
	out := query.Query{All: q.All}
	for _, c := range q.Clauses {
		if !r.stops(&c) {
			out.Clauses = append(out.Clauses, c)
		}
	}
	if len(out.Wanted()) == 0 {
		out.Clauses = slices.Clone(q.Clauses)
	}
	for i := range out.Clauses {
		c := &out.Clauses[i]
		if c.Match == query.Exact && c.Field <= query.Title {
			c.Or = append(slices.Clone(c.Or), r.synonyms.of(c.Words)...)
		}
	}
	return out
}

// stops reports whether a clause is a single stop word.
func (r *Ranking) stops(c *query.Clause) bool {
	if c.Not || c.Field != query.Anywhere || c.Match != query.Exact || len(c.Words) != 1 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(c.Words[0])
	return r.stop[c.Words[0]] || r.isStopped(c.Words[0]) || first < firstIdeograph && utf8.RuneCountInString(c.Words[0]) < r.shortest
}

// isStopped reports whether a stop expression matches a word.
func (r *Ranking) isStopped(word string) bool {
	return slices.ContainsFunc(r.stopped, func(e *regexp.Regexp) bool { return e.MatchString(word) })
}
