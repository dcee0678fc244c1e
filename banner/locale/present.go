package locale

// Present has the texts of the search in what stood on pages, in one language; see [Language].
type Present struct {
	Box         string // label of the box for addresses and words
	SearchPages string
	Intro       string
	AskWithout  string // these precede an example
	AskBegin    string
	AskNear     string
	AskField    string
	Kind        string // the name of the kind, beside [Language.ChangeDeleted]
	Where       string // {0} the query
	Pages       Count
	In          Count  // versions of a page
	Still       string // the newest version has it
	GoneSince   string // {0} a day; a link to the change
	First       string // labels of links to captures
	Last        string
	Sort        string // names the links to the orders
	Best        string
	Newest      string
	Oldest      string
	AsCSV       string // a link to all results
	ByTypes     string // head the facets
	ByLangs     string
	ByYear      string // heads the chart
	YearHas     Count  // {0} versions, {1} the year
	ByAt        string // an active filter; {0} its value
	ByMIME      string
	ByStatus    string
	ByLang      string
	ByFrom      string
	ByTo        string
	FieldFrom   string
	Filtered    Count // pages outside the filters
	Apart       string
	Untold      string
	Bounded     string
	Address     string // {0} a URI-R, which the query may be as well
}
