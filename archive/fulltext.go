package archive

import (
	"context"
	"slices"

	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/search"
	"github.com/varve-archive/varve/search/query"
	"github.com/varve-archive/varve/search/rank"
)

// maxWordings bounds how many words of the collection the beginning of a word, or a word with letters wrong, stands for.
// It stands for the nearest, and of them for the most frequent.
const maxWordings = 1000

// maxWordingPages bounds, for all clauses of a query together, the pages that have these words, each word counted for itself.
const maxWordingPages = 3 << 20

// maxPresentWork bounds how much of the search index one question reads, in bytes.
const maxPresentWork = 256 << 20

// Pages returns the pages that had what a query names in any of their versions. It adds the clauses and the sites of
// the query to req. Untold pages are counted in the answer.
func (cs *CollectionSearch) Pages(ctx context.Context, q query.Query, req search.PresentRequest) (*search.PresentAnswer, error) {
	return cs.RankedPages(ctx, cs.ranking, q, req)
}

// Prepare returns the query as it is searched: without words that don't count, and with synonyms.
func (cs *CollectionSearch) Prepare(q query.Query) query.Query { return cs.ranking.Prepare(q) }

// RankedPages does so with another ranking than that of the collection.
func (cs *CollectionSearch) RankedPages(
	ctx context.Context, r *rank.Ranking, q query.Query, req search.PresentRequest,
) (*search.PresentAnswer, error) {
	q = r.Prepare(q)
	req.Score, req.Whole = r.Score(q), r.Whole()
	req.Anchors, req.Inlinks = r.Anchors(), r.Inlinks()
	found, err := cs.ask(ctx, q, &req)
	if err != nil {
		return nil, err
	}
	if !found {
		return &search.PresentAnswer{}, nil
	}
	return cs.Present(ctx, req)
}

// ask puts a query into a request. found is false if nothing can match, because no word of the collection is what a
// clause stands for, or because no page can be on all of its sites.
func (cs *CollectionSearch) ask(ctx context.Context, q query.Query, req *search.PresentRequest) (found bool, err error) {
	req.Work = maxPresentWork
	on, off := q.Sites()
	for _, site := range on {
		if !within(&req.Bounds, site) {
			return false, nil
		}
	}
	for _, site := range off {
		from, _, err := surt.Range(site, surt.Domain)
		if err != nil {
			continue // no page is there
		}
		req.None = append(req.None, search.Clause{Field: search.FieldURL, Any: []search.Phrase{query.AddressWords(from)}})
	}
	pages := maxWordingPages / max(1, inexact(q))
	for _, c := range q.Clauses {
		if c.Field == query.Site {
			continue
		}
		clause, err := cs.clause(ctx, &c, pages)
		switch {
		case err != nil:
			return false, err
		case c.Not && (len(clause.Any) > 0 || clause.Numbers != nil):
			req.None = append(req.None, clause)
		case !c.Not && (len(clause.Any) > 0 || clause.Numbers != nil):
			req.All = append(req.All, clause)
		case !c.Not:
			return false, nil
		}
	}
	return true, nil
}

// within narrows bounds to a domain. It returns false if nothing is left.
func within(b *search.Bounds, domain string) bool {
	from, to, err := surt.Range(domain, surt.Domain)
	if err != nil {
		return false
	}
	if b.Also != "" && (b.Also < from || b.Also >= to) {
		b.Also = ""
	}
	b.From = max(b.From, from)
	if b.To == "" || to < b.To {
		b.To = to
	}
	return b.From < b.To || b.Also != ""
}

// fieldsOf are the search's names of the query's fields.
var fieldsOf = [...]search.Field{
	query.Anywhere: search.FieldText, query.Title: search.FieldTitle, query.URL: search.FieldURL, query.Named: search.FieldNamed,
}

// inexact counts the clauses of a query that stand for several words.
func inexact(q query.Query) (n int) {
	for i := range q.Clauses {
		if q.Clauses[i].Match != query.Exact {
			n++
		}
	}
	return n
}

// clause converts one clause of a query. It has no phrase if no word of the collection is what the clause stands for. If it stands
// for several, pages bounds those that have them.
func (cs *CollectionSearch) clause(ctx context.Context, c *query.Clause, pages int) (search.Clause, error) {
	out := search.Clause{Field: fieldsOf[c.Field], Name: c.Name}
	if c.Numbers != nil {
		out.Numbers = (*search.Range)(c.Numbers)
		return out, nil
	}
	if c.Match == query.Exact {
		out.Any = append(out.Any, c.Words)
		if c.Field == query.URL && len(c.Words) > 1 {
			out.Any = append(out.Any, hostWords(c.Words))
		}
		for _, other := range c.Or {
			out.Any = append(out.Any, other)
		}
		return out, nil
	}
	wordings, err := cs.wordings(ctx, c, pages)
	for _, w := range wordings {
		out.Any = append(out.Any, search.Phrase{w})
	}
	return out, err
}

// hostWords returns the words of a host in the order of keys, which begin with the last.
func hostWords(words []string) search.Phrase {
	out := slices.Clone(words)
	if out[0] == "www" {
		out = out[1:]
	}
	slices.Reverse(out)
	return out
}

// wordings returns the words that word* or word~ stands for: those that are on so many pages, each word counted for itself, or one
// at least.
func (cs *CollectionSearch) wordings(ctx context.Context, c *query.Clause, pages int) (out []string, err error) {
	if c.Field == query.URL {
		return cs.addressWordings(ctx, c)
	}
	words, err := cs.vocabulary(ctx)
	if err != nil {
		return nil, err
	}
	given := c.Words[0]
	if c.Match == query.Prefix {
		for _, w := range words.Complete(given, maxWordings) {
			if pages -= w.Documents; pages < 0 && len(out) > 0 {
				break
			}
			out = append(out, w.Text)
		}
		return out, nil
	}
	near := words.Near(given, query.Wrong(given))
	for _, w := range near[:min(len(near), maxWordings)] {
		out = append(out, w.Text)
	}
	if query.Wrong(given) == 0 {
		out = append(out, given)
	}
	return out, nil
}

// addressWordings does so for words of addresses, of which there are few that begin alike.
func (cs *CollectionSearch) addressWordings(ctx context.Context, c *query.Clause) (out []string, err error) {
	given := c.Words[0]
	found := cs.Vocabulary(ctx, search.FieldURL, given)
	if c.Match == query.Near {
		found = cs.Similar(ctx, search.FieldURL, given, max(query.Wrong(given), 1), "")
	}
	for t, err := range found {
		if err != nil {
			return nil, err
		}
		if out = append(out, t.Word); len(out) == maxWordings {
			break
		}
	}
	return out, nil
}
