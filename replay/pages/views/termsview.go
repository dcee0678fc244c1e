package views

import (
	"strconv"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
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

// A TermTableView is the page that counts terms on pages at datetimes.
type TermTableView struct {
	layout.Page
	Action string // of the form: terms, urls, at, and output for the same as data
	Form   *layout.Form
	Terms  []string
	Rows   []TermTableRow // the datetimes of each page follow each other
	Total  int            // rows of the whole table
	Words  string         // the page of the terms
}

// A TermTableRow is a page at a datetime.
type TermTableRow struct {
	URIR    string
	At      cdx.Timestamp       // that was asked for
	Capture *banner.CaptureLink // the last one until then, nil if there is none
	Status  int                 // of the capture
	// Counts are the numbers of occurrences of each term; nil without a capture, if its status isn't 200, or if its text can't be read.
	Counts []int
}

// none says why a row has no counts.
func (r *TermTableRow) none(t texts) string {
	switch {
	case r.Capture == nil:
		return t.Find.NoneThen
	case r.Status == 200:
		return t.Find.UnreadThen
	}
	return locale.Fill(t.Present.ByStatus, t.Digits(strconv.Itoa(r.Status)))
}

// pageOf returns the number of rows of the page that begins at row i; 0 if no page begins there.
func (v *TermTableView) pageOf(i int) (rows int) {
	if i > 0 && v.Rows[i-1].URIR == v.Rows[i].URIR {
		return 0
	}
	for rows = 1; i+rows < len(v.Rows) && v.Rows[i+rows].URIR == v.Rows[i].URIR; rows++ {
		continue
	}
	return rows
}

// since returns the difference between a term's count and that in the previous row of the same page with counts.
func (v *TermTableView) since(i, term int) int {
	for before := i - 1; before >= 0 && v.Rows[before].URIR == v.Rows[i].URIR; before-- {
		if counts := v.Rows[before].Counts; counts != nil {
			return v.Rows[i].Counts[term] - counts[term]
		}
	}
	return 0
}
