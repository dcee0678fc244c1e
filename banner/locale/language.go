package locale

import "golang.org/x/text/language"

// Language has all texts of the pages in one language. {0}, {1} … stand for what the comment names; a [Count] chooses
// its plural form by {0}.
type Language struct {
	tag language.Tag // of Tag

	Tag string // BCP 47
	Dir string // ltr or rtl

	Zero            rune   // the digit zero
	Group           string // between thousands
	Comma           string // between the items of an enumeration
	DateTimePattern string // {d} {M} {y} {h} {m}: day, month's name, year, hour, minute; {N} short name, {n} number
	DatePattern     string
	ShortPattern    string // a date where space is scarce
	ClockPattern    string
	Months          [12]string // as in DateTimePattern
	MonthsShort     [12]string

	// The banner.

	Nav             string // names the banner to screen readers
	Address         string // label of the URL box
	Open            string // the button of the URL box
	WhatChanged     string
	FindDeleted     string // link to the search in one page's changes
	Search          string
	WordOrPhrase    string
	More            string
	Fold            string
	Unfold          string
	PrevVersion     string
	NextVersion     string
	FirstVersion    string // shown if there is no earlier version
	NewestVersion   string // shown if there is no later version
	VersionOf       string // {0} number, {1} how many
	UnchangedSince  string // {0} date
	UnchangedFromTo string // {0} {1} dates
	PrevCapture     string
	NextCapture     string
	CaptureOf       string // {0} number, {1} how many
	WordsUnit       Count  // follows signed numbers
	OtherChange     string // a change without words
	AllCaptures     string
	RestInCalendar  Count
	Calendar        string
	Timeline        string // {0} captures, {1} versions, {2} {3} dates
	Level           string
	LevelContent    string
	LevelText       string
	LevelAny        string
	By              string // {0} a number or how many versions, {1} a level, one of the next three
	ByContent       string
	ByText          string
	ByAnything      string
	LinkToThis      string
	Copy            string
	Copied          string
	Share           string
	Keys            string // for other versions
	PressKey        string
	NoKey           string
	DriftLater      string // {0} a duration
	DriftEarlier    string // {0} a duration
	Minutes         Count
	Hours           Count
	Days            Count
	Years           Count
	HereRedirect    string
	HereMissing     string
	HereError       string
	WhatIsKnown     string
	CameFrom        string // {0} the URI-R
	FetchedFrom     string // {0} the host of another archive
	AskAgain        string
	NoRuntime       string

	// All pages.

	SkipToContent  string
	Tagline        string
	AllCollections string
	Collection     string // {0} its name
	Captures       Count
	Versions       Count
	Changes        Count
	Addresses      Count
	Files          Count
	FromTo         string // {0} {1} dates
	PrevPage       string
	NextPage       string
	NothingFound   string
	Percent        string // {0} a number

	// Home and collection.

	Collections       string
	NoCollections     string
	SearchChanges     string
	ThatWere          string // label of a choice
	ChangeDeleted     string
	ChangeAdded       string
	ChangeSemiDeleted string
	StartWith         string

	// Calendar, prefix list, TimeMap.

	CalendarOf     string // {0} the URI-R
	VersionsTitle  string
	YearsTitle     string
	LegendCaptured string
	LegendChanged  string
	LegendRedirect string
	LegendMissing  string
	LegendError    string
	SoftMissing    string
	NothingIn      string // {0} a year or years
	Compare        string
	AllInTable     string
	AddressesUnder string // {0} a prefix
	TimeMapOf      string // {0} the URI-R
	ColWhen        string
	ColStatus      string
	ColType        string
	ColChange      string
	ColAddress     string
	ColCaptures    string
	ColFirst       string
	ColLast        string
	Unchanged      string
	ChangedMarkup  string
	ChangedText    string
	ChangedContent string

	// Errors.

	ErrBadRequest string // 400
	ErrNotFound   string // 404
	ErrBroken     string // 502
	ErrUnreadable string // 503
	ErrBlocked    string // 451
	ErrOther      string // any other
	Known         string
	Try           string
	OtherCaptures string
	TryCalendar   string
	TryCollection string

	// Landing.

	RedirectTitle    string
	RedirectHappened string // {0} date, {1} the target
	MissingTitle     string
	MissingHappened  string // {0} date, {1} status
	SoftHappened     string // {0} date
	NeverTitle       string
	NeverHappened    string
	LongHappened     string
	InvalidHappened  string
	WhereItLeads     string
	WhatWasHere      string
	WhatCameAfter    string
	GoOn             string
	StayBefore       string
	SeeAfter         string
	SimSame          string
	SimRelated       string
	SimOther         string
	SimHome          string
	WhySimilar       string // why a page is proposed
	WhyNoQuery       string
	WhyParent        string
	WhyVariant       string
	WhySpelling      string
	SimUnknown       string
	SimNumber        string // {0} a percentage
	NeverCaptured    string
	NothingHere      string
	ChainTitle       string
	ChainLoop        string
	Alternatives     string
	DontAsk          string
	DontAskSite      string
	DontAskAll       string
	KeptInBrowser    string
	SimilarTo        string // {0} the URI-R

	// Animated change.

	AnimNav      string // names the bar to screen readers
	WatchIt      string // a link
	AnimStart    string // {0} the older datetime
	AnimEnd      string // {0} the newer datetime
	ChangeNo     string // {0} number, {1} how many
	Play         string // names of buttons
	Pause        string
	ChangeBack   string
	ChangeNext   string
	StartOver    string
	Speed        string
	NotPlaced    string // precede a text
	NotSeen      string
	InTitle      string
	Goes         string
	Comes        string
	OnlyWhere    string // {0} word or phrase
	AllChanges   string
	NoneOf       string // {0} word or phrase
	FirstOf      string // {0} {1} numbers
	NeedsScript  string // precedes a link to the diff
	CantPlay     string // {0} the URI-R
	NoPageToPlay string
	NotBothPages string

	// Diff.

	DiffOf          string // {0} the URI-R
	Older           string
	Newer           string
	DeletedWords    Count
	AddedWords      Count
	MovedWords      Count
	MovedAway       string // labels of a block that moved
	MovedHere       string
	UnchangedBlocks Count
	EarlierPair     string
	LaterPair       string
	NothingChanged  string
	NoText          string

	// What a reader looks for, and the slider over all versions.

	AllOnSlider       string
	TermCounts        string // {0} word or phrase, {1} {2} how often (Times) in each capture
	ShowWhere         string // a link to the first change of it
	Times             Count
	AllChangesOf      string // {0} the URI-R
	ChangeOf          string // {0} number, {1} how many
	OneVersion        string
	FirstPair         string
	LastPair          string
	UnchangedCaptures Count
	FindItsChanges    string
	EarlierOf         string // these seven: {0} word or phrase
	LaterOf           string
	NoEarlierOf       string
	NoLaterOf         string
	LookBackFor       string // the search for it was broken off
	LookOnFor         string
	LifeDots          string
	SliderLabel       string
	LifeBars          string
	KeysOnSlider      string
	KeysForTerm       string // {0} word or phrase
	AboutDate         string // {0} a date
	NoAnswer          string
	IsPage            string // what a version is
	IsFile            string // {0} its media type
	IsRedirect        string // {0} the target, {1} status

	Find     Search   // search and terms
	Proxy    Proxy    // proxy mode
	Present  Present  // the search in what stood on pages
	Info     Info     // where a capture is from
	Rooms    Rooms    // lists of addresses, calendars
	Overview Overview // what is in a collection
	Uploads  Uploads  // files that readers hand in
	Inspect  Inspect  // values of a page in all versions
	Recorder Recorder // the page of varve record
	Crawls   Crawls   // how far crawls are
}
