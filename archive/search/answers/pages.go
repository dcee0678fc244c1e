package answers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/archive/search/suggest"
	"github.com/varve-archive/varve/cdx/surt"
)

// maxWordings bounds the words that a prefix (word*) or a misspelt word (word~) expands to. The nearest are taken, and among equally near
// ones the most frequent.
const maxWordings = 1000

// maxWordingPages bounds the sum of the document counts of all words that the clauses of a query expand to.
const maxWordingPages = 3 << 20

// MaxPresentWork bounds the bytes of the search index that one question unpacks: less than a second's work on one core.
const MaxPresentWork = 256 << 20

// A PagesAnswer is an answer to a query.
type PagesAnswer struct {
	search.PresentAnswer
	// Bounded lists clauses that were searched only in part: those that expand to more words than one search looks up, and the commonest words
	// of a long question, which were left out.
	Bounded []string
	// Relaxed says that no page satisfies all required clauses, so they were treated as optional.
	Relaxed bool
	// Lost lists the optional clauses whose words, in any form, the collection doesn't have.
	Lost []string

	// Asked is the query as it was searched: with synonyms and word forms, without stop words and unknown words.
	Asked query.Query

	request *search.PresentRequest // as the engine was asked; nil if nothing can match, and then no page is counted
}

// Missing returns the optional clauses that a page lacks, as they are typed.
func (a *PagesAnswer) Missing(of *search.Found) []string {
	out := append([]string{}, a.Lost...)
	wanted := a.Asked.Wanted() // in the order of the scored clauses
	for _, i := range of.Best.Missing {
		out = append(out, wanted[i].String())
	}
	return out
}

// Notes that tell a reader what to do about an incomplete answer.
const (
	untoldNote  = "more pages may match than one search looks at: narrow it by domain, url, from or to"
	boundedNote = "not all words were looked up: one with * or ~ stands for too many, so type more letters, " +
		"or the question is long, and its rarest words decide"
)

// BoundsNote says what an answer leaves out, "" if it is complete. The arguments are fields of a [PagesAnswer].
func BoundsNote(untold int, bounded []string) string {
	var notes []string
	if len(bounded) > 0 {
		notes = append(notes, boundedNote)
	}
	if untold > 0 {
		notes = append(notes, untoldNote)
	}
	return strings.Join(notes, "; ")
}

// Pages returns the pages of which a version matches the query. It adds the query's clauses and sites to req, and a bound on the work
// unless req has one. Pages beyond that bound are counted as untold. ranking names one of the collection's rankings; "" is the default one.
func (s *Collection) Pages(ctx context.Context, ranking string, q query.Query, req search.PresentRequest) (*PagesAnswer, error) {
	r, err := s.Settings().Ranking(ranking)
	if err != nil {
		return nil, err
	}
	return s.RankedPages(ctx, r, q, req)
}

// RankedPages is [Collection.Pages] with a given ranking.
func (s *Collection) RankedPages(
	ctx context.Context, r *rank.Ranking, q query.Query, req search.PresentRequest,
) (*PagesAnswer, error) {
	out, err := s.rankedPages(ctx, r, q, req)
	if err != nil || out.Total > 0 || out.Untold > 0 {
		return out, err
	}
	relaxed, ok := q.Relaxed()
	if !ok {
		return out, nil
	}
	out, err = s.rankedPages(ctx, r, relaxed, req)
	if err == nil {
		out.Relaxed = out.Total > 0
	}
	return out, err
}

func (s *Collection) rankedPages(
	ctx context.Context, r *rank.Ranking, q query.Query, req search.PresentRequest,
) (*PagesAnswer, error) {
	out := &PagesAnswer{}
	q, found, err := s.ask(ctx, r.Prepare(q), &req, out)
	if err != nil || !found {
		return out, err
	}
	req.Score, req.Whole = r.Score(q), r.Whole()
	req.Anchors, req.Inlinks = r.Anchors(), r.Inlinks()
	a, err := s.presentRows(ctx, q, req)
	if err != nil {
		return nil, err
	}
	out.PresentAnswer, out.Asked, out.request = *a, q, &req
	if len(out.Lost) > 0 {
		out.Whole = 0
	}
	return out, nil
}

// ask adds a query to a request, notes in out what is searched only in part, and returns the query without that. found is false if nothing
// can match: a clause expands to no word of the collection, or the sites exclude each other.
func (s *Collection) ask(
	ctx context.Context, q query.Query, req *search.PresentRequest, out *PagesAnswer,
) (asked query.Query, found bool, err error) {
	req.Work = cmp.Or(req.Work, MaxPresentWork)
	if !onSites(q, req) {
		return q, false, nil
	}
	if q, err = s.known(ctx, q, out); err != nil {
		return q, false, err
	}
	pages := maxWordingPages / max(1, inexact(q))
	convert := func(c *query.Clause) (clause search.Clause, some bool, err error) {
		clause, all, err := s.clause(ctx, c, pages)
		if !all {
			out.Bounded = append(out.Bounded, c.String())
		}
		return clause, len(clause.Any) > 0 || clause.Numbers != nil, err
	}
	for _, c := range q.Clauses {
		if !c.Not || c.Field == query.Site {
			continue
		}
		clause, some, err := convert(&c)
		if err != nil {
			return q, false, err
		}
		if some {
			req.None = append(req.None, clause)
		}
	}
	return s.askWanted(q, req, convert)
}

// askWanted adds the scored clauses to a request, in the order of [query.Query.Wanted].
func (s *Collection) askWanted(
	q query.Query, req *search.PresentRequest, convert func(*query.Clause) (search.Clause, bool, error),
) (asked query.Query, found bool, err error) {
	wanted := q.Wanted()
	asked.All = q.All
	for i := 0; i < len(wanted); {
		end := i + 1
		for wanted[i].Group > 0 && end < len(wanted) && wanted[end].Group == wanted[i].Group {
			end++
		}
		var group []search.Clause
		for _, c := range wanted[i:end] {
			clause, some, err := convert(&c)
			if err != nil {
				return q, false, err
			}
			if some {
				group = append(group, clause)
				asked.Clauses = append(asked.Clauses, c)
			}
		}
		switch c := &wanted[i]; {
		case len(group) == 0:
			return q, false, nil
		case c.Group > 0:
			req.Any = append(req.Any, group)
		case c.Optional && !q.All:
			req.Optional = append(req.Optional, group...)
		default:
			req.All = append(req.All, group...)
		}
		i = end
	}
	return asked, len(asked.Clauses) > 0, nil
}

// onSites narrows a request to the sites of a query; ok is false if no page can be on all of them.
func onSites(q query.Query, req *search.PresentRequest) (ok bool) {
	on, off := q.Sites()
	for _, site := range on {
		if !within(&req.Bounds, site) {
			return false
		}
	}
	for _, site := range off {
		if from, to, err := surt.Range(site, surt.Domain); err == nil { // otherwise it excludes no page
			req.Off = append(req.Off, surt.Keys{From: from, To: to})
		}
	}
	return true
}

// within narrows bounds to a domain. It returns false if nothing is left.
func within(b *search.Bounds, domain string) bool {
	from, to, err := surt.Range(domain, surt.Domain)
	if err != nil {
		return false
	}
	b.Narrow(search.Bounds{From: from, To: to})
	return b.From < b.To || b.Also != ""
}

func fieldOf(f query.Field) search.Field {
	return [...]search.Field{
		query.Anywhere: search.FieldText, query.Title: search.FieldTitle, query.URL: search.FieldURL, query.Named: search.FieldNamed,
	}[f]
}

// inexact counts the clauses of a query that may expand to several words.
func inexact(q query.Query) (n int) {
	for i := range q.Clauses {
		if q.Clauses[i].Match != query.Exact {
			n++
		}
	}
	return n
}

// clause converts one clause of a query. It has no phrase if it expands to no word of the collection. pages bounds the summed document
// counts of the words that it expands to; all is false if some were left out.
func (s *Collection) clause(ctx context.Context, c *query.Clause, pages int) (out search.Clause, all bool, err error) {
	out = search.Clause{Field: fieldOf(c.Field), Name: c.Name}
	if c.Numbers != nil {
		out.Numbers = (*search.Range)(c.Numbers)
		return out, true, nil
	}
	if c.Match == query.Exact {
		out.Any = append(out.Any, c.Words)
		if c.Field == query.URL {
			out.Any = append(out.Any, inSURT(c.Words)...)
		}
		for _, other := range c.Or {
			out.Any = append(out.Any, other)
		}
		for _, form := range c.Forms {
			out.Forms = append(out.Forms, search.Phrase{form})
		}
		return out, true, nil
	}
	wordings, all, err := s.wordings(ctx, c, pages)
	for _, w := range wordings {
		out.Any = append(out.Any, search.Phrase{w})
	}
	return out, all, err
}

// inSURT returns the ways in which the words of an address may stand in its SURT: a host first, without www and with its top-level domain
// first, then a path. Where the host ends, words don't tell.
func inSURT(words []string) (out []search.Phrase) {
	if len(words) > 1 && (words[0] == "http" || words[0] == "https") {
		words = words[1:]
		out = append(out, words)
	}
	if len(words) > 0 && words[0] == "www" {
		words = words[1:]
	}
	for host := 1; host <= min(len(words), maxLabels); host++ {
		var phrase search.Phrase
		for _, label := range slices.Backward(words[:host]) {
			phrase = append(phrase, labelInSURT(label)...)
		}
		if phrase = append(phrase, words[host:]...); !slices.Equal(phrase, words) {
			out = append(out, phrase)
		}
	}
	return out
}

// labelInSURT returns the words of a label of a host as keys have it: in Punycode if it isn't ASCII.
func labelInSURT(label string) []string {
	if tokenize.IsASCII(label) {
		return []string{label}
	}
	host, _, _ := strings.Cut(surt.Of("http://"+label+"/"), ")")
	return query.AddressWords(host)
}

// maxLabels is how many words of a host are turned round.
const maxLabels = 8

// wordings returns the words that word* or word~ expands to: at least one, then as many as keep the sum of their document counts within
// pages. all is false if some were left out.
func (s *Collection) wordings(ctx context.Context, c *query.Clause, pages int) (out []string, all bool, err error) {
	if c.Field == query.URL {
		return s.addressWordings(ctx, c)
	}
	words, err := s.vocabulary(ctx)
	if err != nil {
		return nil, true, err
	}
	given := c.Words[0]
	var found []suggest.Word
	if c.Match == query.Prefix {
		found = words.Complete(given, maxWordings+1)
		for _, beginning := range c.Forms {
			found = append(found, words.Complete(beginning, maxWordings+1)...)
		}
		slices.SortStableFunc(found, func(a, b suggest.Word) int { return b.Documents - a.Documents })
	} else {
		for _, w := range words.Near(given, query.MaxTypos(given)) {
			found = append(found, w.Word)
		}
		if query.MaxTypos(given) == 0 {
			out = append(out, given)
		}
	}
	for _, w := range found {
		if pages -= w.Documents; len(out) == maxWordings || pages < 0 && len(out) > 0 {
			return out, false, nil
		}
		out = append(out, w.Text)
	}
	return out, true, nil
}

// addressWordings is [Collection.wordings] for words of addresses. It ignores page counts, because few such words share a prefix.
func (s *Collection) addressWordings(ctx context.Context, c *query.Clause) (out []string, all bool, err error) {
	given := c.Words[0]
	found := s.Vocabulary(ctx, search.FieldURL, given)
	if c.Match == query.Near {
		found = s.Similar(ctx, search.FieldURL, given, max(query.MaxTypos(given), 1), "")
	}
	for t, err := range found {
		if err != nil {
			return nil, true, err
		}
		if len(out) == maxWordings {
			return out, false, nil
		}
		out = append(out, t.Word)
	}
	return out, true, nil
}
