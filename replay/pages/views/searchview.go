package views

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A TextChange is the effect of a change on the text that is searched for.
type TextChange uint8

// The kinds: the text was deleted, added, or partly deleted. TextPresent isn't a change: it finds the pages that contained the text at
// any time.
const (
	TextDeleted TextChange = iota
	TextAdded
	TextSemiDeleted
	TextPresent
)

// String returns the value of the URL parameter change.
func (c TextChange) String() string {
	return [...]string{TextDeleted: "deleted", TextAdded: "added", TextSemiDeleted: "semi-deleted", TextPresent: "present"}[c]
}

// A SearchView is the page of the search in pages, or in changes. If Q is empty, it explains queries; if Refused is set, it says what is
// wrong with Q. Hrefs keep the query and the filters that they don't change.
type SearchView struct {
	layout.Page
	Q      string
	Change TextChange

	URL, Domain string          // filters, "" for none; URL is a prefix
	Exact       bool            // URL is not a prefix but the address itself
	From, To    string          // as given, 1 to 14 digits
	Hidden      []layout.Hidden // filters that have no field in the form
	Filters     []Filter        // the active filters, each with the link that removes it

	Refused    Refused
	Notices    []Notice
	WithAll    int          // of Total, pages with all words; equal to Total if no others were searched
	NoneHas    []string     // optional words that no result contains
	Match      *banner.Link // the same search with all words required, or no longer; Text is empty for the latter
	Suggestion banner.Link  // the query with its misspelt words replaced; zero if there is none
	Building   *layout.Progress

	Tabs       []Tab // the same query for each kind of change
	Total      int   // changes found, or pages of TextPresent
	PageNo     int   // from 1
	First      int   // number of the first result on this page, from 1
	Prev, Next string
	Results    []ChangeResult
	Pages      []PageResult // instead of Results, of TextPresent
	Rankings   []Facet      // ways to rank Pages, by name; the first is the usual one and has none
	Sorts      []Facet      // the orders; Text is what one is in addresses
	Chart      []Facet      // consecutive years with the versions that have the text
	Address    *banner.Link // the query as an address; Text is the URI-R
	Nothing    *Nothing     // why there is no result
	Columns    []Column     // fields of templates; Pages have as many Values
	CSV        string       // all results as a table, "" for none
	JSON       string       // the same as JSON
	Everywhere bool         // the search is over all collections

	Collections    []Facet // of a search Everywhere
	Domains, Years []Facet
	Types, Langs   []Facet
	Terms          string // page of the most deleted terms
}

// A Column is a field of a template. Href sorts by it, or reverses the order if it is sorted by it already; Sorted is the value of
// aria-sort.
type Column struct{ Name, Href, Sorted string }

// A FieldValue is a value of a field. If it is an address, Href leads to its replay; Picture shows it.
type FieldValue struct{ Text, Href, Picture string }

// A Tab is a kind of change with the number of changes of that kind.
type Tab struct {
	Change  TextChange
	Href    string
	Count   int // -1 if it is not known
	Current bool
}

// FilterBy says what a filter applies to.
type FilterBy uint8

// What filters apply to.
const (
	ByURL FilterBy = iota
	ByPage
	ByDomain
	ByFrom
	ByTo
	ByAt
	ByMIME
	ByStatus
	ByLang
)

// A Filter is an active filter of a search; Href is the search without it.
type Filter struct {
	By   FilterBy
	Text string
	Href string
}

// A Facet is a value by which results can be narrowed down. If it is Active already, Href removes it.
type Facet struct {
	Text   string
	Href   string
	Count  int
	Active bool
}

// Refused is the reason why a query isn't answered.
type Refused uint8

// The reasons. RefusedNot means that it is answered.
const (
	RefusedNot     Refused = iota
	RefusedLong            // the query is too long
	RefusedQuotes          // a quotation mark is not closed
	RefusedNoWords         // there are only signs
	RefusedTime            // from or to is not a datetime
	RefusedFilter          // url or domain can't be an address or a domain
)

// A Notice is a sentence about how a query was read.
type Notice uint8

// The notices.
const (
	NoticeOperators   Notice = iota // signs of query languages were read as plain words
	NoticeCharacters                // words in scripts without spaces were looked up by their segments
	NoticeUntold                    // it is unknown whether some changes match
	NoticeUntoldPages               // it is unknown whether some pages match
	NoticeBounded                   // some words were not looked up
	NoticeRelaxed                   // no page matches the requirements
)

// NothingWhy says why there are no results.
type NothingWhy uint8

// The reasons. A text is current if the newest version of a page contains it.
const (
	NothingNever         NothingWhy = iota // no version in the collection contains the text
	NothingFiltered                        // there are changes, but none within the filters
	NothingStands                          // it was never deleted: Count pages contain it
	NothingPartly                          // it was never deleted completely, but Count changes deleted a part of it
	NothingKind                            // no change of this kind, but Count of the kind Other
	NothingApart                           // no change contains the whole query, but some contain Parts of it
	NothingPage                            // the page number is beyond the last page
	NothingFilteredPages                   // there are Count pages, but none within the filters
	NothingApartPages                      // no version contains the whole query, but some contain Parts of it
	NothingYet                             // the search is still being built
)

// Nothing is what the page says instead of results.
type Nothing struct {
	Why    NothingWhy
	Count  int           // see the reasons
	Other  TextChange    // the kind of change that Href shows
	Href   string        // where there are results: another kind, fewer filters, the first page; "" leaves it out
	Parts  []banner.Link // NothingApart, NothingApartPages: a search for each
	Stands *Card         // a memento that contains the text; nil if there is none
}

// A ChangeResult is one change of a URI-R that deleted, added or partly deleted the text.
type ChangeResult struct {
	Title, URIR string
	Change      TextChange
	Before      *ChangeSide // the last capture of the version before; nil if After begins the first version of the URI-R
	After       ChangeSide  // the first capture of the version after

	Addition  *banner.CaptureLink // where the text first occurred in its present run; nil if unknown
	FromStart bool                // Addition is in the first version of the URI-R: the text may be older

	Thumb    *film.Frame // of the capture that has the text, nil if there is none
	Snippets []Snippet
	// Unreadable says that the content can't be read now.
	Unreadable bool
	Remark     Remark
	Diff       string // links, "" leaves one out
	Sliding    string
	Animate    string
}

// A ChangeSide is one of the two captures around a change, with the number of occurrences of the text in it.
type ChangeSide struct {
	banner.CaptureLink
	Count int
}

// A Snippet is a line of the diff that contains the text; the searched words are marked.
type Snippet []layout.Span

// A Remark says why a change may not be an edit of the text.
type Remark uint8

// The remarks.
const (
	RemarkNone     Remark = iota
	RemarkSoft404         // after the change the page only says "not found"
	RemarkMissing         // after it the page is missing
	RemarkRedirect        // after it the address redirects
	RemarkScript          // after it the content is loaded by script
	RemarkEmptied         // nearly all text of the page was deleted
	RemarkFirst           // the first version of the URI-R
	RemarkCame            // before it there was no such page
	RemarkFilled          // nearly all text of the page was added
)

// A PageResult is a URI-R that had the text in one or more versions.
type PageResult struct {
	Title, URIR string
	Row         int                // row of the page, from 1; 0 for the page itself
	Best        banner.CaptureLink // the version that matches best
	First, Last banner.CaptureLink // the first and the last capture with it
	Versions    int
	Still       bool                // the newest version has it
	Gone        *banner.CaptureLink // else the first capture without it; Href shows what removed it
	Snippets    []Snippet
	Unreadable  bool           // the content can't be read now
	Missing     []string       // optional words that it lacks and another result has
	Values      [][]FieldValue // by column of the view
	Collection  banner.Link    // of a search everywhere
	Thumb       *film.Frame    // of the best version, nil if there is none
}
