package views

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A TermsView is the page of the terms most often deleted or added. Hrefs keep the filters that they don't change.
type TermsView struct {
	layout.Page
	Action   string     // of the form: GET with change, domain, from, to
	Change   TextChange // TextDeleted or TextAdded
	Domain   string     // filters, "" for none
	From, To string     // as given, 1 to 14 digits
	Filters  []Filter
	Refused  Refused // RefusedNot, RefusedTime or RefusedFilter
	Tabs     []Tab   // the other kind; Count is not shown
	Building *layout.Progress

	Years   []Facet   // consecutive, oldest first: changes in each
	Terms   []TermRow // most first
	Domains []DomainTerms

	JSON, CSV string // the same as data
	Search    string // page of the search
	Table     string // page of the table of terms, pages and datetimes
}

// A TermRow is a word and how often it was deleted or added.
type TermRow struct {
	Text    string
	Href    string // search of it
	Changes int    // that deleted or added it
	Times   int    // how many times, in all of them
	ByYear  []int  // Changes in each of the view's Years
}

// DomainTerms is a domain with the number of changes of its pages and the terms that most of them deleted or added.
type DomainTerms struct {
	Facet
	Terms []banner.Link
}
