package answers

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
)

// maxRowPages bounds the pages whose rows one question reads.
const maxRowPages = 1000

// presentRows finds pages and returns the matching rows that templates read from them, each as a result of its own. A row matches if it has
// the demanded values and, if any row of its page has one of the words, has one itself. A page whose rows have none of the words stays one
// result, unless values are demanded. Facets count pages.
func (s *Collection) presentRows(ctx context.Context, q query.Query, req search.PresentRequest) (*search.PresentAnswer, error) {
	if !s.Fields().HasRows() || req.Limit == 0 {
		return s.Present(ctx, req)
	}
	whole := s.wholePages(req)
	whole.Skip, whole.Limit = 0, maxRowPages
	a, err := s.Present(ctx, whole)
	if err != nil {
		return nil, err
	}
	a.Untold += a.Total - len(a.Hits)
	wanted := q.Wanted()
	var hits []search.Found
	for i := range a.Hits {
		hits = append(hits, s.rowsOf(&a.Hits[i], wanted, req.None)...)
	}
	if req.Sort == search.ByField {
		by, _ := s.Fields().Column(req.By)
		for i := range hits {
			hits[i].PlaceBy(&req.Order, by)
		}
		slices.SortStableFunc(hits, func(a, b search.Found) int { return req.Compare(&a, &b) })
	}
	a.Total, a.Whole, a.Ordered = len(hits), 0, len(hits)
	for i := range hits {
		if hits[i].Whole {
			a.Whole++
		}
	}
	hits = hits[min(req.Skip, len(hits)):]
	a.Hits = hits[:min(req.Limit, len(hits))]
	return a, nil
}

// Rest yields the pages, or rows of them, that an answer with Skip 0 doesn't have, in no order and however many they are.
func (s *Collection) Rest(ctx context.Context, a *PagesAnswer) iter.Seq2[search.Found, error] {
	type row struct {
		key    string
		number int
	}
	known := map[row]bool{}
	for i := range a.Hits {
		known[row{a.Hits[i].Key, a.Hits[i].Row}] = true
	}
	return func(yield func(search.Found, error) bool) {
		if len(a.Hits) == a.Total && a.Untold == 0 {
			return
		}
		req, rows := s.wholePages(*a.request), s.Fields().HasRows()
		for page, err := range s.Each(ctx, req) {
			list := []search.Found{page}
			if rows && err == nil {
				list = s.rowsOf(&page, a.Asked.Wanted(), a.request.None)
			}
			for _, f := range list {
				if !known[row{f.Key, f.Row}] && !yield(f, err) {
					return
				}
			}
		}
	}
}

// wholePages returns a request for the pages of rows: what rows must not have is looked for in them.
func (s *Collection) wholePages(req search.PresentRequest) search.PresentRequest {
	if s.Fields().HasRows() {
		req.None = slices.DeleteFunc(slices.Clone(req.None), func(c search.Clause) bool { return c.Field == search.FieldNamed })
	}
	return req
}

// rowsOf returns the matching rows of a page, those with most of the words first, or the page itself.
func (s *Collection) rowsOf(page *search.Found, wanted []query.Clause, none []search.Clause) (out []search.Found) {
	rows := fields.UnpackRows(page.Best.Version.Fields)
	if rows == nil {
		if s.hasAny(fields.Unpack(page.Best.Version.Fields), none) {
			return nil
		}
		return []search.Found{*page}
	}
	type match struct{ row, words int }
	var found []match
	most := 0
	for i := range rows {
		if values := rows[i].Values; s.hasDemanded(values, wanted) && !s.hasAny(values, none) {
			words := countWanted(values, wanted)
			found = append(found, match{i, words})
			most = max(most, words)
		}
	}
	if most == 0 && !slices.ContainsFunc(wanted, demandsValue) && slices.ContainsFunc(wanted, wantsWords) {
		return []search.Found{*page}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(b.words, a.words) })
	for _, m := range found {
		if most > 0 && m.words == 0 {
			break
		}
		one := *page
		one.Row = rows[m.row].Number
		one.Best.Version.Fields = rows[m.row].Values.Pack()
		out = append(out, one)
	}
	return out
}

// demandsValue reports whether a clause must hold for the values of a row.
func demandsValue(c query.Clause) bool { return c.Field == query.Named && c.Group == 0 && !c.Optional }

func wantsWords(c query.Clause) bool { return c.Field == query.Anywhere }

// hasDemanded reports whether values satisfy all demanding clauses.
func (s *Collection) hasDemanded(values fields.Values, wanted []query.Clause) bool {
	return !slices.ContainsFunc(wanted, func(c query.Clause) bool {
		return demandsValue(c) && !s.hasValue(values, c.Name, c.Numbers, func(words []string) bool { return hasWords(&c, words) })
	})
}

// countWanted counts the clauses whose words occur in the values.
func countWanted(values fields.Values, wanted []query.Clause) (n int) {
	said := allWords(values)
	for i := range wanted {
		if wantsWords(wanted[i]) && hasWords(&wanted[i], said) {
			n++
		}
	}
	return n
}

func (s *Collection) hasAny(values fields.Values, none []search.Clause) bool {
	return slices.ContainsFunc(none, func(c search.Clause) bool {
		return c.Field == search.FieldNamed && s.hasValue(values, c.Name, (*query.Range)(c.Numbers), func(words []string) bool {
			return slices.ContainsFunc(c.Any, func(p search.Phrase) bool { return hasWords(&query.Clause{Words: p}, words) })
		})
	})
}

// hasValue reports whether a value of a field is in a range, or satisfies has.
func (s *Collection) hasValue(values fields.Values, name string, within *query.Range, has func(words []string) bool) bool {
	column, _ := s.Fields().Column(name)
	return slices.ContainsFunc(values[name], func(v string) bool {
		if within == nil {
			return has(query.AddressWords(v))
		}
		n, ok := column.Type.Order(v)
		return ok && n >= within.From && n <= within.To
	})
}

func allWords(values fields.Values) (out []string) {
	for _, list := range values {
		for _, v := range list {
			out = append(out, query.Words(v)...)
		}
	}
	return out
}

// hasWords reports whether a clause occurs among words, in any wording or form.
func hasWords(c *query.Clause, words []string) bool {
	switch c.Match {
	case query.Prefix:
		return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, c.Words[0]) })
	case query.Near: // the search has expanded it to words of the collection
		return true
	}
	for at := range words {
		if c.StandsAt(words, at) {
			return true
		}
	}
	return false
}
