package replay

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/search"
)

// How many domains the page of the terms lists, and how many terms with each.
const (
	termDomains = 12
	domainTerms = 5
)

// termsPage shows the terms. Filters that can't be read are said on the page.
func (s *pages) termsPage(w http.ResponseWriter, r *http.Request, p Path, q TermsQuery) error {
	uris := s.site.local(p.Coll)
	v := q.view(s.site.shared(r, p), uris)
	if _, err := changeBounds("", "", q.From, q.To); err != nil {
		v.Refused = banner.RefusedTime
	} else if _, err := changeBounds(q.Domain, "", "", ""); err != nil {
		v.Refused = banner.RefusedFilter
	}
	if v.Refused != banner.RefusedNot {
		return render(w, r, http.StatusBadRequest, banner.Terms(v))
	}
	list, err := s.Terms(r.Context(), uris, q)
	if err != nil {
		return err
	}
	of, err := s.Archive.Search(p.Coll)
	if err != nil {
		return err
	}
	v.Building = of.building()
	q.fill(&v, uris, list)
	return render(w, r, http.StatusOK, banner.Terms(v))
}

// view is the page without an answer.
func (q *TermsQuery) view(page banner.Page, uris memento.URIs) banner.TermsView {
	v := banner.TermsView{
		Page: page, Action: uris.Endpoint("terms", ""), Domain: q.Domain, From: q.From, To: q.To,
		JSON: q.link(uris, "format", "json"), CSV: q.link(uris, "format", "csv"), Search: uris.Endpoint("search", ""),
	}
	for _, f := range []struct {
		by          banner.FilterBy
		name, value string
	}{{banner.ByDomain, "domain", q.Domain}, {banner.ByFrom, "from", q.From}, {banner.ByTo, "to", q.To}} {
		if f.value != "" {
			v.Filters = append(v.Filters, banner.Filter{By: f.by, Text: f.value, Href: q.link(uris, f.name, "")})
		}
	}
	kind, _ := search.ParseKind(q.Change) // another kind is refused before anything is shown
	v.Change = textChange(kind)
	for _, k := range []search.Kind{search.Deleted, search.Added} {
		v.Tabs = append(v.Tabs, banner.Tab{Change: textChange(k), Href: q.link(uris, "change", k.String()), Current: k == kind})
	}
	return v
}

// link is the same question but for the parameters given, name and value in turn; "" takes one out.
func (q *TermsQuery) link(uris memento.URIs, change ...string) string {
	v := url.Values{"change": {q.Change}, "domain": {q.Domain}, "from": {q.From}, "to": {q.To}}
	if q.Limit != 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	for i := 0; i+1 < len(change); i += 2 {
		v.Set(change[i], change[i+1])
	}
	for name := range v {
		if v.Get(name) == "" {
			v.Del(name)
		}
	}
	return uris.Endpoint("terms", v.Encode())
}

func (q *TermsQuery) fill(v *banner.TermsView, uris memento.URIs, list *TermList) {
	years := span(list.Years)
	for i, n := range perYear(years, list.Years) {
		y := years[i]
		v.Years = append(v.Years, banner.Facet{Text: y, Count: n, Href: q.link(uris, "from", y, "to", y), Active: q.From == y && q.To == y})
	}
	for i := range list.Terms {
		t := &list.Terms[i]
		v.Terms = append(v.Terms, banner.TermRow{Text: t.Term, Href: t.Search, Changes: t.Changes, Times: t.Times, ByYear: perYear(years, t.Years)})
	}
	for _, d := range list.Domains[:min(len(list.Domains), termDomains)] {
		v.Domains = append(v.Domains, q.domain(uris, list, d))
	}
}

// domain is a domain with those of the listed terms that went or came there most often.
func (q *TermsQuery) domain(uris memento.URIs, list *TermList, d SearchFacet) banner.DomainTerms {
	out := banner.DomainTerms{Facet: banner.Facet{Text: d.Name, Count: d.Count, Href: q.link(uris, "domain", d.Name), Active: q.Domain == d.Name}}
	if out.Active {
		out.Href = q.link(uris, "domain", "")
	}
	there := *q
	there.Domain = d.Name
	kind, _ := search.ParseKind(list.Change)
	for _, t := range mostIn(list.Terms, d.Name) {
		out.Terms = append(out.Terms, banner.Link{Href: there.searchFor(uris, kind, t), Text: t})
	}
	return out
}

// mostIn are the terms with the most changes in a domain.
func mostIn(terms []TermItem, domain string) []string {
	type there struct {
		term    string
		changes int
	}
	var found []there
	for i := range terms {
		for _, d := range terms[i].Domains {
			if d.Name == domain {
				found = append(found, there{terms[i].Term, d.Count})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b there) int { return cmp.Compare(b.changes, a.changes) })
	var out []string
	for _, t := range found[:min(len(found), domainTerms)] {
		out = append(out, t.term)
	}
	return out
}
