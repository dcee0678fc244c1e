package search

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// How many domains the page of terms lists, and how many terms with each.
const (
	termDomains = 12
	domainTerms = 5
)

// termsParams are the parameters of a request for the page of terms.
type termsParams struct{ answers.TermsQuery }

// termsPage shows the terms. The page itself reports invalid filters.
func (s *Handler) termsPage(w http.ResponseWriter, r *http.Request, p respond.Path, q termsParams) error {
	uris := s.site.Local(p.Coll)
	v := q.view(s.Shared(r, p), uris)
	if _, err := answers.Bounds("", "", q.From, q.To); err != nil {
		v.Refused = refusedTime
	} else if _, err := answers.Bounds(q.Domain, "", "", ""); err != nil {
		v.Refused = refusedFilter
	}
	if v.Refused != refusedNot {
		return respond.Render(w, r, http.StatusBadRequest, termsPage(v))
	}
	list, err := s.searches.CountTerms(r.Context(), uris, q.TermsQuery)
	if err != nil {
		return err
	}
	v.Building = building(list.Index)
	q.fill(&v, uris, list)
	return respond.Render(w, r, http.StatusOK, termsPage(v))
}

// view returns the page without results.
func (q *termsParams) view(page layout.Page, uris memento.URIs) termsView {
	v := termsView{
		Page: page, Action: uris.Endpoint("terms", ""), Domain: q.Domain, From: q.From, To: q.To,
		JSON: q.link(uris, "format", "json"), CSV: q.link(uris, "format", "csv"), Search: uris.Endpoint("search", ""),
		Table: uris.Endpoint("terms/table", ""),
	}
	for _, f := range []struct {
		by          filterBy
		name, value string
	}{{byDomain, "domain", q.Domain}, {byFrom, "from", q.From}, {byTo, "to", q.To}} {
		if f.value != "" {
			v.Filters = append(v.Filters, filter{By: f.by, Text: f.value, Href: q.link(uris, f.name, "")})
		}
	}
	kind, _ := search.ParseKind(q.Change) // an unknown kind is refused before anything is shown
	v.Change = textChange(kind)
	for _, k := range []search.Kind{search.Deleted, search.Added} {
		v.Tabs = append(v.Tabs, tab{Change: textChange(k), Href: q.link(uris, "change", k.String()), Current: k == kind})
	}
	return v
}

// link returns the same request with some parameters changed, like a [linkTo].
func (q *termsParams) link(uris memento.URIs, change ...string) string {
	v := url.Values{"change": {q.Change}, "domain": {q.Domain}, "from": {q.From}, "to": {q.To}}
	if q.Limit != 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	return uris.Endpoint("terms", changed(v, change))
}

func (q *termsParams) fill(v *termsView, uris memento.URIs, list *answers.TermList) {
	years := answers.YearSpan(list.Years)
	for i, n := range answers.PerYear(years, list.Years) {
		y := years[i]
		v.Years = append(v.Years, choice{Text: y, Count: n, Href: q.link(uris, "from", y, "to", y), Active: q.From == y && q.To == y})
	}
	for i := range list.Terms {
		t := &list.Terms[i]
		v.Terms = append(v.Terms, shownTerm{
			Text: t.Term, Href: t.Search, Changes: t.Changes, Times: t.Times, ByYear: answers.PerYear(years, t.Years),
		})
	}
	for _, d := range list.Domains[:min(len(list.Domains), termDomains)] {
		v.Domains = append(v.Domains, q.domain(uris, list, d))
	}
}

// domain returns a domain with those of the listed terms that were deleted or added there most often.
func (q *termsParams) domain(uris memento.URIs, list *answers.TermList, d answers.Facet) shownDomain {
	out := shownDomain{choice: choice{
		Text: d.Name, Count: d.Count, Href: q.link(uris, "domain", d.Name), Active: q.Domain == d.Name,
	}}
	if out.Active {
		out.Href = q.link(uris, "domain", "")
	}
	there := *q
	there.Domain = d.Name
	kind, _ := search.ParseKind(list.Change)
	for _, t := range mostIn(list.Terms, d.Name) {
		out.Terms = append(out.Terms, banner.Link{Href: there.SearchFor(uris, kind, t.Name), Text: t.Name})
	}
	return out
}

// mostIn returns the terms with the most changes in a domain, with the number of these changes.
func mostIn(terms []answers.TermItem, domain string) (out []answers.Facet) {
	for i := range terms {
		for _, d := range terms[i].Domains {
			if d.Name == domain {
				out = append(out, answers.Facet{Name: terms[i].Term, Count: d.Count})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b answers.Facet) int { return cmp.Compare(b.Count, a.Count) })
	return out[:min(len(out), domainTerms)]
}

// Terms answers /{coll}/terms: a page for browsers, CSV for those who request it, else JSON.
func (s *Handler) Terms(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	q, err := termsQuery(p)
	if err != nil {
		return err
	}
	format, err := respond.Format(w, r, p, "format")
	if err != nil {
		return err
	}
	if format == "html" {
		return s.termsPage(w, r, p, termsParams{q})
	}
	list, err := s.searches.CountTerms(r.Context(), s.site.Absolute(r, p.Coll), q)
	if err != nil {
		return err
	}
	if format == "json" {
		return respond.WriteJSON(w, r, list)
	}
	h := w.Header()
	respond.AllowOrigins(h)
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", p.Coll+"-"+list.Change+"-terms.csv"))
	if r.Method == http.MethodHead {
		return nil
	}
	return list.WriteCSV(w)
}

func termsQuery(p respond.Path) (answers.TermsQuery, error) {
	get := p.Params.Get
	q := answers.TermsQuery{Change: get("change"), Domain: get("domain"), From: get("from"), To: get("to")}
	if v := get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > answers.MaxTerms {
			return q, respond.BadRequest(fmt.Sprintf("limit %.20q: want a whole number from 1 to %d", v, answers.MaxTerms))
		}
		q.Limit = n
	}
	return q, nil
}
