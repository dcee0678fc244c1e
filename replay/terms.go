package replay

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"

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
	maxTerms     = 1000
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
	if req.Limit < 1 || req.Limit > maxTerms {
		return req, badQuery("limit %d: want a whole number from 1 to %d", q.Limit, maxTerms)
	}
	req.Bounds, err = changeBounds(q.Domain, "", q.From, q.To)
	return req, err
}

// Terms counts what was deleted or added over a collection. Links are made by uris.
func (s *Archive) Terms(ctx context.Context, uris memento.URIs, q TermsQuery) (*TermList, error) {
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
		Change: req.Kind.String(), Index: of.state(), Years: facets(found.Years), Domains: facets(found.Hosts), Terms: []TermItem{},
	}
	for _, y := range found.Years {
		out.Changes += y.Count
	}
	for _, t := range found.Terms {
		out.Terms = append(out.Terms, TermItem{t.Term, t.Changes, t.Times, facets(t.Years), facets(t.Hosts), q.searchFor(uris, req.Kind, t.Term)})
	}
	return out, nil
}

// searchFor is the search for a term within the filters of the query.
func (q *TermsQuery) searchFor(uris memento.URIs, k search.Kind, term string) string {
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
	years := span(l.Years)
	head := []string{"term", "changes", "times"}
	c := csv.NewWriter(w)
	if err := c.Write(append(head, years...)); err != nil {
		return err
	}
	for i := range l.Terms {
		t := &l.Terms[i]
		line := []string{t.Term, strconv.Itoa(t.Changes), strconv.Itoa(t.Times)}
		for _, n := range perYear(years, t.Years) {
			line = append(line, strconv.Itoa(n))
		}
		if err := c.Write(line); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// span is the years from the first to the last, those without a change too.
func span(years []SearchFacet) []string {
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

// perYear has the counts in the order of years, 0 where there is none.
func perYear(years []string, counts []SearchFacet) []int {
	out := make([]int, len(years))
	for _, c := range counts {
		if i := slices.Index(years, c.Name); i >= 0 {
			out[i] = c.Count
		}
	}
	return out
}
