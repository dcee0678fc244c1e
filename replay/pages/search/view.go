package search

import (
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A textChange is the effect of a change on the text that is searched for.
type textChange uint8

// The kinds: the text was deleted, added, or partly deleted. textPresent isn't a change: it finds the pages that contained the text at
// any time.
const (
	textDeleted     = textChange(search.Deleted)
	textSemiDeleted = textChange(search.SemiDeleted)
	textAdded       = textChange(search.Added)
	textPresent     = textAdded + 1
)

// String returns the value of the URL parameter change.
func (c textChange) String() string {
	if c == textPresent {
		return changePresent
	}
	return search.Kind(c).String()
}

// A searchView is the page of the search in pages, or in changes. If Q is empty, it explains queries; if Refused is set, it says what is
// wrong with Q. Hrefs keep the query and the filters that they don't change.
type searchView struct {
	layout.Page
	Q      string
	Change textChange

	URL, Domain string          // filters, "" for none; URL is a prefix
	Exact       bool            // URL is not a prefix but the address itself
	From, To    string          // as given, 1 to 14 digits
	Hidden      []layout.Hidden // filters that have no field in the form
	Filters     []filter        // the active filters, each with the link that removes it

	Refused    refusal
	Notices    []notice
	WithAll    int          // of Total, pages with all words; equal to Total if no others were searched
	NoneHas    []string     // optional words that no result contains
	Match      *banner.Link // the same search with all words required, or no longer; Text is empty for the latter
	Suggestion banner.Link  // the query with its misspelt words replaced; zero if there is none
	Building   *layout.Progress

	Tabs       []tab // the same query for each kind of change
	Total      int   // changes found, or pages of textPresent
	PageNo     int   // from 1
	First      int   // number of the first result on this page, from 1
	Prev, Next string
	Results    []shownChange
	Pages      []shownPage   // instead of Results, of textPresent
	Rankings   []choice      // ways to rank Pages, by name; the first is the usual one and has none
	Sorts      []choice      // the orders; Text is what one is in addresses
	Chart      []choice      // consecutive years with the versions that have the text
	Address    *banner.Link  // the query as an address; Text is the URI-R
	Nothing    *noResults    // why there is no result
	Columns    []valueColumn // fields of templates; Pages have as many Values
	CSV        string        // all results as a table, "" for none
	JSON       string        // the same as JSON
	Everywhere bool          // the search is over all collections

	Collections    []choice // of a search Everywhere
	Domains, Years []choice
	Types, Langs   []choice
	Terms          string // page of the most deleted terms
}

// A valueColumn is a field of a template. Href sorts by it, or reverses the order if it is sorted by it already; Sorted is the value of
// aria-sort.
type valueColumn struct{ Name, Href, Sorted string }

// A shownValue is a value of a field. If it is an address, Href leads to its replay; Picture shows it.
type shownValue struct{ Text, Href, Picture string }

// A tab is a kind of change with the number of changes of that kind.
type tab struct {
	Change  textChange
	Href    string
	Count   int // -1 if it is not known
	Current bool
}

// filterBy says what a filter applies to.
type filterBy uint8

// What filters apply to.
const (
	byURL filterBy = iota
	byPage
	byDomain
	byFrom
	byTo
	byAt
	byMIME
	byStatus
	byLang
)

// A filter is an active filter of a search; Href is the search without it.
type filter struct {
	By   filterBy
	Text string
	Href string
}

// A choice is a value by which results can be narrowed down. If it is Active already, Href removes it.
type choice struct {
	Text   string
	Href   string
	Count  int
	Active bool
}

// A refusal is the reason why a query isn't answered.
type refusal uint8

// The reasons. refusedNot means that it is answered.
const (
	refusedNot     refusal = iota
	refusedLong            // the query is too long
	refusedQuotes          // a quotation mark is not closed
	refusedNoWords         // there are only signs
	refusedTime            // from or to is not a datetime
	refusedFilter          // url or domain can't be an address or a domain
)

// A notice is a sentence about how a query was read.
type notice uint8

const (
	noticeOperators   notice = iota // signs of query languages were read as plain words
	noticeCharacters                // words in scripts without spaces were looked up by their segments
	noticeUntold                    // it is unknown whether some changes match
	noticeUntoldPages               // it is unknown whether some pages match
	noticeBounded                   // some words were not looked up
	noticeRelaxed                   // no page matches the requirements
)

// noResultsReason says why there are no results.
type noResultsReason uint8

// The reasons. A text is current if the newest version of a page contains it.
const (
	nothingNever         noResultsReason = iota // no version in the collection contains the text
	nothingFiltered                             // there are changes, but none within the filters
	nothingStands                               // it was never deleted: Count pages contain it
	nothingPartly                               // it was never deleted completely, but Count changes deleted a part of it
	nothingKind                                 // no change of this kind, but Count of the kind Other
	nothingApart                                // no change contains the whole query, but some contain Parts of it
	nothingPage                                 // the page number is beyond the last page
	nothingFilteredPages                        // there are Count pages, but none within the filters
	nothingApartPages                           // no version contains the whole query, but some contain Parts of it
	nothingYet                                  // the search is still being built
)

// noResults is what the page says instead of results.
type noResults struct {
	Why    noResultsReason
	Count  int           // see the reasons
	Other  textChange    // the kind of change that Href shows
	Href   string        // where there are results: another kind, fewer filters, the first page; "" leaves it out
	Parts  []banner.Link // nothingApart, nothingApartPages: a search for each
	Stands *standing     // a memento that contains the text; nil if there is none
}

// A shownChange is one change of a URI-R that deleted, added or partly deleted the text.
type shownChange struct {
	Title, URIR string
	Change      textChange
	Before      *changeSide // the last capture of the version before; nil if After begins the first version of the URI-R
	After       changeSide  // the first capture of the version after

	Addition  *banner.CaptureLink // where the text first occurred in its present run; nil if unknown
	FromStart bool                // Addition is in the first version of the URI-R: the text may be older

	Thumb    *film.Frame // of the capture that has the text, nil if there is none
	Snippets []shownLine
	// Unreadable says that the content can't be read now.
	Unreadable bool
	Remark     remark
	Diff       string // links, "" leaves one out
	Sliding    string
	Animate    string
}

// A standing capture has the text that is searched for.
type standing struct {
	banner.CaptureLink
	URIR, Title string
}

// A changeSide is one of the two captures around a change, with the number of occurrences of the text in it.
type changeSide struct {
	banner.CaptureLink
	Count int
}

// A shownLine is a line of the diff that contains the text; the searched words are marked.
type shownLine []layout.Span

// A remark says why a change may not be an edit of the text.
type remark uint8

const (
	remarkNone     remark = iota
	remarkSoft404         // after the change the page only says "not found"
	remarkMissing         // after it the page is missing
	remarkRedirect        // after it the address redirects
	remarkScript          // after it the content is loaded by script
	remarkEmptied         // nearly all text of the page was deleted
	remarkFirst           // the first version of the URI-R
	remarkCame            // before it there was no such page
	remarkFilled          // nearly all text of the page was added
)

// A shownPage is a URI-R that had the text in one or more versions.
type shownPage struct {
	Title, URIR string
	Row         int                // row of the page, from 1; 0 for the page itself
	Best        banner.CaptureLink // the version that matches best
	First, Last banner.CaptureLink // the first and the last capture with it
	Versions    int
	Still       bool                // the newest version has it
	Gone        *banner.CaptureLink // else the first capture without it; Href shows what removed it
	Snippets    []shownLine
	Unreadable  bool           // the content can't be read now
	Missing     []string       // optional words that it lacks and another result has
	Values      [][]shownValue // by column of the view
	Collection  banner.Link    // of a search everywhere
	Thumb       *film.Frame    // of the best version, nil if there is none
}

// A termsView is the page of the terms most often deleted or added. Hrefs keep the filters that they don't change.
type termsView struct {
	layout.Page
	Action   string     // of the form: GET with change, domain, from, to
	Change   textChange // textDeleted or textAdded
	Domain   string     // filters, "" for none
	From, To string     // as given, 1 to 14 digits
	Filters  []filter
	Refused  refusal // refusedNot, refusedTime or refusedFilter
	Tabs     []tab   // the other kind; Count is not shown
	Building *layout.Progress

	Years   []choice    // consecutive, oldest first: changes in each
	Terms   []shownTerm // most first
	Domains []shownDomain

	JSON, CSV string // the same as data
	Search    string // page of the search
	Table     string // page of the table of terms, pages and datetimes
}

// A shownTerm is a word and how often it was deleted or added.
type shownTerm struct {
	Text    string
	Href    string // search of it
	Changes int    // that deleted or added it
	Times   int    // how many times, in all of them
	ByYear  []int  // Changes in each of the view's Years
}

// shownDomain is a domain with the number of changes of its pages and the terms that most of them deleted or added.
type shownDomain struct {
	choice
	Terms []banner.Link
}
