package archive

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/search"
)

// A TermList is the answer of /{coll}/terms: the terms deleted or added in most changes, the most first. Changes in which
// the whole content went or came are not counted, and neither are stop words of a page's language.
type TermList struct {
	Change  string        `json:"change"`
	Changes int           `json:"changes"` // all that were counted, whatever terms are in them
	Index   SearchState   `json:"index"`
	Years   []SearchFacet `json:"years"` // changes of each year, in order
	Domains []SearchFacet `json:"domains"`
	Terms   []TermItem    `json:"terms"`
}

// A TermItem is a term with the changes in which it went or came.
type TermItem struct {
	Term    string        `json:"term"`
	Changes int           `json:"changes"`
	Times   int           `json:"times"`
	Years   []SearchFacet `json:"years"`
	Domains []SearchFacet `json:"domains"`
	Search  string        `json:"search"` // its changes
}

// How many terms an answer has, unless asked, and at most.
const (
	DefaultTerms = 100
	MaxTerms     = 1000
)

// A TermsQuery says which terms are meant. From and To are 1 to 14 digits of a datetime, "" leaves that side open.
type TermsQuery struct {
	Change   string // deleted or added; "" is deleted
	Domain   string // "" is all
	From, To string
	Limit    int // from 1 to 1000; 0 is 100
}

// request checks the query. The error is for the one who asked.
func (q *TermsQuery) request() (req search.TermsRequest, err error) {
	if req.Kind, err = search.ParseKind(q.Change); err != nil || req.Kind == search.SemiDeleted {
		return req, badQuery("change %.20q: want deleted or added", q.Change)
	}
	if req.Limit = q.Limit; q.Limit == 0 {
		req.Limit = DefaultTerms
	}
	if req.Limit < 1 || req.Limit > MaxTerms {
		return req, badQuery("limit %d: want a whole number from 1 to %d", q.Limit, MaxTerms)
	}
	req.Bounds, err = Bounds(q.Domain, "", q.From, q.To)
	return req, err
}

// CountTerms counts what was deleted or added over a collection. Links are made by uris.
func (s *Archive) CountTerms(ctx context.Context, uris memento.URIs, q TermsQuery) (*TermList, error) {
	req, err := q.request()
	if err != nil {
		return nil, err
	}
	of, err := s.Search(uris.Coll)
	if err != nil {
		return nil, err
	}
	found, err := of.countTerms(ctx, req)
	if err != nil {
		return nil, err
	}
	out := &TermList{
		Change: req.Kind.String(), Index: of.State(), Years: Facets(found.Years), Domains: Facets(found.Hosts), Terms: []TermItem{},
	}
	for _, y := range found.Years {
		out.Changes += y.Count
	}
	for _, t := range found.Terms {
		out.Terms = append(out.Terms, TermItem{t.Term, t.Changes, t.Times, Facets(t.Years), Facets(t.Hosts), q.SearchFor(uris, req.Kind, t.Term)})
	}
	return out, nil
}

// SearchFor is the search for a term within the filters of the query.
func (q *TermsQuery) SearchFor(uris memento.URIs, k search.Kind, term string) string {
	v := url.Values{"q": {term}, "change": {k.String()}}
	for name, value := range map[string]string{"domain": q.Domain, "from": q.From, "to": q.To} {
		if value != "" {
			v.Set(name, value)
		}
	}
	return uris.Endpoint("search", v.Encode())
}

// WriteCSV writes a line for each term (RFC 4180), with a column for each year.
func (l *TermList) WriteCSV(w io.Writer) error {
	years := YearSpan(l.Years)
	head := []string{"term", "changes", "times"}
	c := csv.NewWriter(w)
	if err := c.Write(append(head, years...)); err != nil {
		return err
	}
	for i := range l.Terms {
		t := &l.Terms[i]
		line := []string{t.Term, strconv.Itoa(t.Changes), strconv.Itoa(t.Times)}
		for _, n := range PerYear(years, t.Years) {
			line = append(line, strconv.Itoa(n))
		}
		if err := c.Write(line); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// YearSpan is the years from the first to the last, those without a change too.
func YearSpan(years []SearchFacet) []string {
	if len(years) == 0 {
		return nil
	}
	first, _ := strconv.Atoi(years[0].Name)
	last, _ := strconv.Atoi(years[len(years)-1].Name)
	var out []string
	for y := first; y <= last; y++ {
		out = append(out, fmt.Sprintf("%04d", y))
	}
	return out
}

// PerYear has the counts in the order of years, 0 where there is none.
func PerYear(years []string, counts []SearchFacet) []int {
	out := make([]int, len(years))
	for _, c := range counts {
		if i := slices.Index(years, c.Name); i >= 0 {
			out[i] = c.Count
		}
	}
	return out
}

// Bounds reads the filters of changes: a domain (the hosts below it too) and a prefix of URLs, both where both are
// given, and datetimes.
func Bounds(domain, prefix, from, to string) (b search.Bounds, err error) {
	if domain != "" {
		if b.From, b.To, err = surt.Range(domain, surt.Domain); err != nil {
			return b, badQuery("%s", err)
		}
	}
	if prefix != "" {
		first, end, err := surt.Range(prefix, surt.Prefix)
		if err != nil {
			return b, badQuery("%s", err)
		}
		if key := surt.Of(memento.ParseURIR(prefix)); key >= b.From && (b.To == "" || key < b.To) {
			b.Also = key
		}
		b.From = max(b.From, first)
		if b.To == "" || end != "" && end < b.To {
			b.To = end
		}
	}
	if from != "" {
		if b.Since, err = cdx.ParseTimestamp(from); err != nil {
			return b, badQuery("from %.20q: want 1 to 14 digits of a datetime", from)
		}
	}
	if to != "" {
		if b.Until, err = cdx.ParseTimestampEnd(to); err != nil {
			return b, badQuery("to %.20q: want 1 to 14 digits of a datetime", to)
		}
	}
	return b, nil
}

// A SearchState says how many pages can be searched yet.
type SearchState struct {
	Pages    int64 `json:"pages"`
	Searched int64 `json:"searched"`
}

// A SearchFacet counts the changes of one domain or year.
type SearchFacet struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

func Facets(counts []search.Count) []SearchFacet {
	out := make([]SearchFacet, 0, min(len(counts), maxFacets))
	for _, c := range counts[:min(len(counts), maxFacets)] {
		out = append(out, SearchFacet{c.Name, c.Count})
	}
	return out
}

// maxFacets bounds how many domains are listed; years are fewer.
const maxFacets = 100

// State says how far the index is.
func (of *CollectionSearch) State() SearchState {
	return SearchState{Pages: of.Progress.Pages.Load(), Searched: of.Progress.Done.Load()}
}
