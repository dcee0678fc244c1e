package locale

// Search has the texts of the change-text search and of the terms, in one language; see [Language].
type Search struct {
	// The form.

	Intro        string
	AskWords     string // precedes an example
	AskPhrase    string // precedes an example
	AskPlain     string
	Example      string // two words that occur on pages
	Limits       string // names the filters
	FieldURL     string
	OnlyThis     string // not the addresses that begin with it
	FieldDomain  string
	FieldFrom    string
	FieldTo      string
	ByURL        string // an active filter; {0} its value
	ByPage       string
	ByDomain     string
	ByFrom       string
	ByTo         string
	Show         string // a button
	LiftLimit    string
	Kinds        string // names the links to the kinds of change
	WhereDeleted string // {0} the query
	WhereAdded   string
	WhereFewer   string
	MostTerms    string // link to the page of the terms

	// What is said of a query.

	RefusedLong      string
	RefusedQuotes    string
	RefusedNoWords   string
	RefusedTime      string
	RefusedFilter    string
	NoticeOperators  string
	NoticeCharacters string
	NoticeUntold     string
	DidYouMean       string // {0} a query
	Building         string // {0} pages done, {1} pages in all

	// Results.

	PageNo     string // {0} a number
	FirstThere string // labels of the moments of a result
	LastThere  string
	Gone       string
	Before     string
	After      string
	NotThere   string
	Came       string
	NoVersion  string // instead of a capture before
	There      string // {0} how long
	ThereAlso  string // {0} how long at least
	Together   string // {0} {1}: years and months, months and days
	UnderADay  string
	Months     Count
	AllDiffs   string // link to the sliding diff
	Watch      string // link to the animation
	ByDomains  string // heads the facets
	ByYears    string

	RemarkSoft404  string
	RemarkMissing  string
	RemarkRedirect string
	RemarkScript   string
	RemarkEmptied  string
	RemarkFirst    string
	RemarkCame     string
	RemarkFilled   string

	// No results.

	Never        string
	Apart        string // precedes a list of the parts of a query
	Filtered     Count  // changes outside the filters
	LiftAll      string
	StandsOn     Count // pages
	StandsHere   string
	Partly       Count // changes that deleted a part of it
	OtherDeleted Count // changes of another kind
	OtherAdded   Count
	OtherFewer   Count
	SeeDeleted   string
	SeeAdded     string
	SeeFewer     string
	PastTheEnd   string
	FirstPage    string

	// The terms.

	MostDeleted   string
	MostAdded     string
	TermsIntro    string
	ChangesByYear string
	ChangesIn     Count // {0} changes, {1} the year
	AsTable       string
	ColYear       string
	ColWord       string
	ColTimes      string
	ColChanges    string
	ColByYear     string
	ColDomain     string
	ColMost       string
	NoTerms       string
	SameAs        string // precedes links to JSON and CSV
}
