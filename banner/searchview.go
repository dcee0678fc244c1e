package banner

// A TextChange is what a change of version did to a text that is searched for.
type TextChange uint8

// The kinds: it went, it came, there is less of it.
const (
	TextDeleted TextChange = iota
	TextAdded
	TextSemiDeleted
)

// String is the kind as the parameter change has it.
func (c TextChange) String() string {
	return [...]string{TextDeleted: "deleted", TextAdded: "added", TextSemiDeleted: "semi-deleted"}[c]
}

// A SearchView is the page of the change-text search. With Q empty it says what can be asked; with
// Refused set it says what is wrong with Q. Hrefs keep the query and the filters that they don't change.
type SearchView struct {
	Page
	Action string // of the form: GET with q, change, url, matchType, domain, from, to
	Q      string
	Change TextChange

	URL, Domain string   // filters, "" for none; URL is a prefix
	Exact       bool     // but here the address itself
	From, To    string   // as they were given, 1 to 14 digits
	Filters     []Filter // those that hold, each with the way out of it

	Refused    Refused
	Notices    []Notice
	Suggestion Link // the query with its misspelt words replaced; zero for none
	Building   *Progress

	Tabs       []Tab // the same query for each kind
	Total      int   // changes found
	PageNo     int   // from 1
	First      int   // number of the first result on this page, from 1
	Prev, Next string
	Results    []ChangeResult
	Nothing    *Nothing // why there is no result

	Domains, Years []Facet
	Terms          string // page of the most deleted terms
}

// A Tab is a kind of change with how many changes of it there are.
type Tab struct {
	Change  TextChange
	Href    string
	Count   int
	Current bool
}

// FilterBy says what a filter looks at.
type FilterBy uint8

// What filters look at.
const (
	ByURL FilterBy = iota
	ByPage
	ByDomain
	ByFrom
	ByTo
)

// A Filter is a limit of a search; Href is the search without it.
type Filter struct {
	By   FilterBy
	Text string
	Href string
}

// A Facet is a value by which results can be narrowed down. Where it is Active already, Href lifts it.
type Facet struct {
	Text   string
	Href   string
	Count  int
	Active bool
}

// Progress is how much of something is done.
type Progress struct{ Done, Total int }

// Refused says why a query is not answered.
type Refused uint8

// The reasons. RefusedNot: it is answered.
const (
	RefusedNot     Refused = iota
	RefusedLong            // is too long
	RefusedQuotes          // a quotation mark is not closed
	RefusedNoWords         // signs only
	RefusedTime            // from or to is no datetime
	RefusedFilter          // url or domain can't be one
)

// A Notice is a sentence on how a query was read.
type Notice uint8

// The notices.
const (
	NoticeOperators  Notice = iota // signs of query languages were read as plain words
	NoticeCharacters               // words of a script without spaces were looked up by their segments
	NoticeUntold                   // of some changes it can't be told whether they match
)

// NothingWhy says why there are no results.
type NothingWhy uint8

// The reasons. A text "stands" where the newest version has it.
const (
	NothingNever    NothingWhy = iota // the text is in no version of the collection
	NothingFiltered                   // there are changes, but none within the filters
	NothingStands                     // it was never deleted: it stands on Count pages
	NothingPartly                     // it never went, but Count changes made it fewer
	NothingKind                       // no change of this kind, but Count of the kind Other
	NothingApart                      // no change has all of the query, but Parts of it are in some
	NothingPage                       // the page is after the last one
)

// Nothing is what to say instead of results.
type Nothing struct {
	Why    NothingWhy
	Count  int        // see the reasons
	Other  TextChange // the kind of change that Href shows
	Href   string     // where there is something: another kind, fewer filters, the first page; "" leaves it out
	Parts  []Link     // NothingApart: the search of each
	Stands *Card      // a memento in which the text stands; nil for none
}

// A ChangeResult is one change of a URI-R in which the text went, came or became less.
type ChangeResult struct {
	Title, URIR string
	Change      TextChange
	Before      *ChangeSide // the last capture of the version before; nil: there is none, After begins the URI-R's first version
	After       ChangeSide  // the first capture of the version after

	Addition  *CaptureLink // where the text first stood in its present run; nil: not known
	FromStart bool         // Addition is in the first version of the URI-R: the text may be older

	Snippets []Snippet
	Remark   Remark
	Diff     string // links, "" leaves one out
	Sliding  string
	Animate  string
}

// A ChangeSide is one of the two captures around a change, with how often the text stands in it.
type ChangeSide struct {
	CaptureLink
	Count int
}

// A Snippet is a line of the diff in which the text stands; what was searched for is marked.
type Snippet []Span

// A Remark says why a change may be no edit of the text.
type Remark uint8

// The remarks.
const (
	RemarkNone     Remark = iota
	RemarkSoft404         // after the change the page only says "not found"
	RemarkMissing         // after it the page is missing
	RemarkRedirect        // after it the address redirects
	RemarkScript          // after it the content is loaded by script
	RemarkEmptied         // nearly all text of the page went
	RemarkFirst           // the first version of the URI-R
	RemarkCame            // before it there was no such page
	RemarkFilled          // nearly all text of the page came
)
