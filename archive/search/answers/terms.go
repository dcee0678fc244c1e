package answers

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/spreadsheet"
	"github.com/varve-archive/varve/memento"
)

// A TermList is the answer of /{coll}/terms: the terms deleted or added in the most changes, most frequent first. It
// does not count changes that deleted or added the whole content, nor stop words of the page's language.
type TermList struct {
	Change  string     `json:"change"`
	Changes int        `json:"changes"` // all changes that were counted, with any terms
	Index   State      `json:"index"`
	Years   []Facet    `json:"years"` // changes of each year, oldest first
	Domains []Facet    `json:"domains"`
	Terms   []TermItem `json:"terms"`
}

// A TermItem is a term and the changes that deleted or added it.
type TermItem struct {
	Term    string  `json:"term"`
	Changes int     `json:"changes"`
	Times   int     `json:"times"`
	Years   []Facet `json:"years"`
	Domains []Facet `json:"domains"`
	Search  string  `json:"search"` // a URL that searches for its changes
}

// The default and the largest number of terms in an answer.
const (
	DefaultTerms = 100
	MaxTerms     = 1000
)

// A TermsQuery selects terms. From and To are 1 to 14 digits of a datetime; "" leaves that side open.
type TermsQuery struct {
	Change   string // deleted or added; "" is deleted
	Domain   string // "" is every domain
	From, To string
	Limit    int // from 1 to [MaxTerms]; 0 is [DefaultTerms]
}

// request checks the query. Its error is for the reader.
func (q *TermsQuery) request() (req search.TermsRequest, err error) {
	if req.Kind, err = search.ParseKind(q.Change); err != nil || req.Kind == search.SemiDeleted {
		return req, badQuery("change %.20q: want deleted or added", q.Change)
	}
	if req.Limit = cmp.Or(q.Limit, DefaultTerms); req.Limit < 1 || req.Limit > MaxTerms {
		return req, badQuery("limit %d: want a whole number from 1 to %d", q.Limit, MaxTerms)
	}
	req.Bounds, err = Bounds(q.Domain, "", q.From, q.To)
	return req, err
}

// Check says what is wrong with the query, in a [QueryError], nil if nothing is.
func (q *TermsQuery) Check() error {
	_, err := q.request()
	return err
}

// CountTerms counts the terms deleted or added in the collection, with links built by uris.
func (s *Collection) CountTerms(ctx context.Context, uris memento.URIs, q TermsQuery) (*TermList, error) {
	req, err := q.request()
	if err != nil {
		return nil, err
	}
	state, err := s.State(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.countTerms(ctx, req)
	if err != nil {
		return nil, err
	}
	out := &TermList{
		Change: req.Kind.String(), Index: state, Years: Facets(found.Years), Domains: Facets(found.Hosts), Terms: []TermItem{},
	}
	for _, y := range found.Years {
		out.Changes += y.Count
	}
	for _, t := range found.Terms {
		out.Terms = append(out.Terms, TermItem{t.Term, t.Changes, t.Times, Facets(t.Years), Facets(t.Hosts), q.SearchFor(uris, req.Kind, t.Term)})
	}
	return out, nil
}

// SearchFor returns the URL of a search for a term, with the filters of the query.
func (q *TermsQuery) SearchFor(uris memento.URIs, k search.Kind, term string) string {
	v := url.Values{"q": {term}, "change": {k.String()}}
	for name, value := range map[string]string{"domain": q.Domain, "from": q.From, "to": q.To} {
		if value != "" {
			v.Set(name, value)
		}
	}
	return uris.Endpoint("search", v.Encode())
}

// WriteCSV writes one line for each term (RFC 4180), with one column for each year.
func (l *TermList) WriteCSV(w io.Writer) error {
	years := YearSpan(l.Years)
	head := []string{"term", "changes", "times"}
	c := csv.NewWriter(w)
	if err := c.Write(append(head, years...)); err != nil {
		return err
	}
	for i := range l.Terms {
		t := &l.Terms[i]
		line := []string{spreadsheet.Cell(t.Term), strconv.Itoa(t.Changes), strconv.Itoa(t.Times)}
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

// YearSpan lists all years from the first to the last, including those without a change.
func YearSpan(years []Facet) []string {
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

// PerYear returns the counts in the order of years, 0 for a year without one.
func PerYear(years []string, counts []Facet) []int {
	out := make([]int, len(years))
	for _, c := range counts {
		if i := slices.Index(years, c.Name); i >= 0 {
			out[i] = c.Count
		}
	}
	return out
}

// Bounds parses the filters of a search: a domain with its subdomains, a prefix of URLs, and datetimes. A page has to satisfy all that are
// given.
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
		b.Narrow(search.Bounds{From: first, To: end, Also: surt.Of(memento.ParseURIR(prefix))})
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

// A State says how many pages there are and how many of them can be searched.
type State struct {
	Pages    int64 `json:"pages"`
	Searched int64 `json:"searched"`
	// Building says that the search lacks, or may lack, indexed captures, so an answer may be incomplete.
	Building bool `json:"building"`
}

// Note says in a sentence that the search is being built, or returns "".
func (s State) Note() string {
	switch {
	case !s.Building:
		return ""
	case s.Searched < s.Pages:
		return fmt.Sprintf("the search is still being built; pages that can be searched so far: %d of %d", s.Searched, s.Pages)
	}
	return "the search is still being built: what was indexed last may be missing"
}

// Add adds the state of another collection.
func (s *State) Add(o State) {
	s.Pages += o.Pages
	s.Searched += o.Searched
	s.Building = s.Building || o.Building
}

// A Facet counts the changes of one domain or one year.
type Facet struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Facets returns the first of the counts, at most maxFacets.
func Facets(counts []search.Count) []Facet {
	out := make([]Facet, 0, min(len(counts), maxFacets))
	for _, c := range counts[:min(len(counts), maxFacets)] {
		out = append(out, Facet{c.Name, c.Count})
	}
	return out
}

// maxFacets bounds how many domains are listed. Years are fewer.
const maxFacets = 100

// State returns how far the search is built.
func (s *Collection) State(ctx context.Context) (state State, err error) {
	if s.Behind != nil {
		state.Building, err = s.Behind(ctx)
	}
	state.Pages, state.Searched = s.Progress.Pages.Load(), s.Progress.Done.Load()
	return state, err
}
