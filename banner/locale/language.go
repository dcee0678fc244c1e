package locale

import "golang.org/x/text/language"

// Language has all texts of the pages in one language, and its formats of numbers and dates. messages/en.yaml explains each text and its
// {0}, {1} …. Keys there are the names of the fields here.
type Language struct {
	tag  language.Tag
	Tag  string // BCP 47: the name of the file
	Dir  string // ltr or rtl
	Zero rune

	Group, Comma, DateTimePattern, DatePattern, ShortPattern, ClockPattern string
	Months, MonthsShort                                                    [12]string

	// The banner.
	Nav, Address, Open, WhatChanged, FindDeleted, Search, WordOrPhrase, More, Fold, Unfold, PrevVersion, NextVersion,
	FirstVersion, NewestVersion, VersionOf, AlternatingSince, UnchangedSince, UnchangedFromTo, PrevCapture, NextCapture, CaptureOf string
	WordsUnit                              Count
	OtherChange, OtherPicture, AllCaptures string
	RestInCalendar                         Count
	Calendar, Timeline, Level, LevelContent, LevelText, LevelAny, By, ByContent, ByText, ByAnything, LinkToThis, Copy,
	Copied, Share, Keys, PressKey, NoKey, DriftLater, DriftEarlier string
	Minutes, Hours, Days, Years                                                                           Count
	HereRedirect, HereMissing, HereError, WhatIsKnown, CameFrom, FetchedFrom, AskAgain, NoRuntime, CutOff string

	// All pages.
	SkipToContent, Tagline, AllCollections, Collection string
	Captures, Versions, Changes, Addresses, Files      Count
	FromTo, PrevPage, NextPage, NothingFound, Percent  string

	// Home and collection.
	Collections, NoCollections, SearchChanges, ThatWere, ChangeDeleted, ChangeAdded, ChangeSemiDeleted, StartWith string

	// Calendar, prefix list, TimeMap.
	CalendarOf, VersionsTitle, YearsTitle, LegendCaptured, LegendChanged, LegendRedirect, LegendMissing, LegendError, RedirectHome,
	MissingSince, SoftMissing, NothingIn, Compare, AllInTable, AddressesUnder, TimeMapOf, ColWhen, ColStatus, ColType, ColChange,
	ColAddress, ColCaptures, ColFirst, ColLast, Unchanged, ChangedMarkup, ChangedText, ChangedContent string

	// Errors.
	ErrBadRequest, ErrNotFound, ErrBroken, ErrUnreadable, ErrBlocked, ErrOther, Known, Try, OtherCaptures, TryCalendar,
	TryCollection string

	// Landing.
	RedirectTitle, RedirectHappened, MissingTitle, MissingHappened, SoftHappened, NeverTitle, NeverHappened,
	LongHappened, InvalidHappened, WhereItLeads, WhatWasHere, WhatCameAfter, GoOn, StayBefore, SeeAfter, SimSame,
	SimRelated, SimOther, SimHome, WhySimilar, WhyNoQuery, WhyParent, WhyVariant, WhySpelling, SimUnknown, SimNumber,
	NeverCaptured, NothingHere, ChainTitle, ChainLoop, Alternatives, DontAsk, DontAskSite, DontAskAll, KeptInBrowser,
	SimilarTo string

	// Animated change.
	AnimNav, WatchIt, AnimStart, AnimEnd, ChangeNo, Play, Pause, ChangeBack, ChangeNext, StartOver, Speed, NotPlaced,
	NotSeen, InTitle, Goes, Comes, OnlyWhere, AllChanges, NoneOf, FirstOf, NeedsScript, CantPlay, NoPageToPlay,
	NotBothPages string

	// Diff.
	DiffOf, Older, Newer                           string
	DeletedWords, AddedWords, MovedWords           Count
	MovedAway, MovedHere                           string
	UnchangedBlocks                                Count
	EarlierPair, LaterPair, NothingChanged, NoText string
	DiffView, ViewColumns, ViewUnified, ViewInline string

	// Searched words, and the slider over all versions.
	AllOnSlider, TermCounts, ShowWhere                      string
	Times                                                   Count
	AllChangesOf, ChangeOf, OneVersion, FirstPair, LastPair string
	UnchangedCaptures                                       Count
	FindItsChanges, EarlierOf, LaterOf, NoEarlierOf, NoLaterOf, LookBackFor, LookOnFor, LifeDots, SliderLabel, LifeBars,
	KeysOnSlider, KeysForTerm, AboutDate, NoAnswer, IsPage, IsFile, IsRedirect string

	Find       Search
	Proxy      Proxy
	Present    Present
	Info       Info
	Browse     Browse
	Overview   Overview
	Uploads    Uploads
	Inspect    Inspect
	Duplicates Duplicates
	Recorder   Recorder
	Crawls     Crawls
	Monitor    Monitor
	Visual     Visual
	Embeds     Embeds
	Follows    Follows
	Jobs       Jobs
	Edit       Edit
}

// Search has the texts of the search in changes, and of the terms.
type Search struct {
	// The form.
	Intro, AskWords, AskPhrase, AskPlain, Example, Limits, FieldURL, OnlyThis, FieldDomain, FieldFrom, FieldTo, ByURL,
	ByPage, ByDomain, ByFrom, ByTo, Show, LiftLimit, Kinds, WhereDeleted, WhereAdded, WhereFewer, MostTerms string

	// About queries.
	RefusedLong, RefusedQuotes, RefusedNoWords, RefusedTime, RefusedFilter, NoticeOperators, NoticeCharacters,
	NoticeUntold, DidYouMean, Building, BuildingLast string

	// Results.
	PageNo, FirstThere, LastThere, Gone, Before, After, NotThere, Came, NoVersion, There, ThereAlso, Together,
	UnderADay string
	Months                              Count
	AllDiffs, Watch, ByDomains, ByYears string

	RemarkSoft404, RemarkMissing, RemarkRedirect, RemarkScript, RemarkEmptied, RemarkFirst, RemarkCame,
	RemarkFilled string

	// No results.
	Never, Yet, Apart                                     string
	Filtered                                              Count
	LiftAll                                               string
	StandsOn                                              Count
	StandsHere                                            string
	Partly, OtherDeleted, OtherAdded, OtherFewer          Count
	SeeDeleted, SeeAdded, SeeFewer, PastTheEnd, FirstPage string

	// The terms.
	MostDeleted, MostAdded, TermsIntro, ChangesByYear                           string
	ChangesIn                                                                   Count
	AsTable, ColYear, ColWord, ColTimes, ColChanges, ColByYear, NoTerms, SameAs string

	// The table of terms, pages and datetimes.
	TableTitle, TableIntro, TableTerms, TablePages, TableTimes, ColAsked, ColShown, NoneThen, UnreadThen, TableCut string
}

// Proxy has the texts of proxy mode.
type Proxy struct {
	Title, What, SetProxy, YouSee, YouSeeNewest, Moment, FromCollection, Choose, EmptyIsNewest, KnownByAddress,
	KnownByName, SecurePages, SecureHow, TrustWarning, MoveTitle, YouWillSee, MoveWhy, Go string
}

// Present has the texts of the search in pages.
type Present struct {
	Box, SearchPages, Intro, AskWithout, AskBegin, AskNear, AskField, AskAll, Kind, Where                                              string
	Pages, In, WithAll                                                                                                                 Count
	AllOnly, AnyToo, Without, NoneHas, Relaxed                                                                                         string
	Row, Rankings, UsualRanking, AsJSON                                                                                                string
	Still, GoneSince, First, Last, Sort, Best, Newest, Oldest, ByTitle, ByAddress, ByVersions, BySize, AsCSV, ByTypes, ByLangs, ByYear string
	YearHas                                                                                                                            Count
	ByAt, ByMIME, ByStatus, ByLang, ByFrom, ByTo, FieldFrom                                                                            string
	Filtered                                                                                                                           Count
	Apart, Untold, Bounded, Address                                                                                                    string
}

// Info has the texts of the page about the provenance of a capture.
type Info struct {
	From, Link, Cite, OtherForms, RobustLink, Record, Whole, Differs, Damaged, Unchecked, File, Offset, Length, BodyIn,
	Format, Digest, Leads, Embeds string
	Parts, Missing                                                                               Count
	LeftOut, Weigh, Unread, Never, Later, Earlier, Raw, WARC, WACZ, HTTPHead, RecordHead, Writer string
}

// Browse has the texts of the list of addresses and of the calendar.
type Browse struct {
	AllAddresses, AllIn, SortedBy, PartsOnly, AsCSV, Which, More, Has, AnyType, Reading, Page,
	Document, Image, Media, Style, Script, Font, Data, Other, AnyStatus, MinCaptures, MinVersions, MinSize, Since,
	Until, Show, NoneSo, LiftAll, ColVersions, ColChanged, ColSize, ColPlace string

	Under, InCollection, SearchFor string

	MonthNames                              [12]string
	Weekdays                                [7]string
	WeekBegins                              int
	YearOf, DayOf, ChooseDay                string
	MoreOfDay                               Count
	PrevDay, NextDay, VersionsIn, NoneBegan string
}

// Overview has the texts of a collection's contents, of the calendar over all collections, and of embed codes.
type Overview struct {
	Counting, CountingUntil, Years, YearTable, ColYear, ChangedMost, ChangedLast, AllMost, AllLast, LivedLongest, Hosts,
	ColHost, Kinds, Addresses, Pages, SpanOf, InCollections, OfCollection, Everywhere, OnlyIn, Embed string
}

// Visual has the texts of pictures of pages. Places and Kinds name the parts of a page.
type Visual struct {
	Title, Film, Alt, Compare, Words, How, Sides, Swipe, Onion, Slide, Important, Aside, Same, Distance, MadeOf, Cut,
	ColWhat, ColPlace, ColBegins, Changed, Added, Removed, Moved, Damage string
	Errors                                             Count
	Pictured, LookAlike, ByLook, LevelLook, Collection string
	Matters, Judge, Chosen, NotChosen                  string
	Places, Kinds                                      map[string]string
}

// Embeds has the texts about the parts of a page.
type Embeds struct {
	Missing                                   string
	Sheets, Frames, Scripts, Pictures, Others Count
}

// Uploads has the texts of uploads. Refused has the reasons why a file is refused, by their names in the API.
type Uploads struct {
	AddFiles, Hint, NoPlace, Into, Which, Add, Sending, Checking, Indexing, Waiting, Added, HaveIt, NotAdded,
	NotIndexed, KeptAs, SameAs string
	Damaged                                                               Count
	AtByte, FirstPages, ToCollection, Lost, TooLarge, AddedFiles, AddMore string
	Refused                                                               map[string]string
}

// Duplicates has the texts of the page of duplicates.
type Duplicates struct {
	Title, How, Across, All, Versions, Copy, Mirror, Article, Pictures, Hosts, Cut, Pairs, MoreHere string
	Groups                                                                                          Count
}

// Inspect has the texts of the page on which a reader chooses an element and sees its values in all versions.
type Inspect struct {
	Link, Title, PageOf, How, NoPage, OtherPages, Field, CSS, XPath, Name, TypeText, TypeLink, TypeImage, TypeNumber,
	TypeDate, Attribute, Clean, All, Template, Show, Add, Wrong string
	Finds                                                                                  Count
	AtLeast, FindsNone, Holds, Within, SameXPath, Values, ColFrom, ColTo, Changed, Nothing string

	IsRedirect, IsMissing, IsError, IsNoPage, IsUnreadable, IsTooSlow string

	GoOn, ToCopy, ForCrawl, ForColl string

	// Lists and tables with a document for each row.
	ManyRows, Each, Key, ReadRows, RowNew, RowGone string
	InList, Rows, RowsHidden                       Count
}

// Recorder has the texts of the page of varve record.
type Recorder struct {
	Title, What, SetProxy, Secrets, Kept string
	Exchanges, Same                      Count
	Nothing, Pages, Failed, Open         string
}

// Crawls has the texts of the pages about crawls.
type Crawls struct {
	Title, One, None, Begin, All, New, Running, Paused, Completed, Stopped, Failed, GoesOn, Reached, Why, Pages, OfMost,
	Parts, Documents, PerPage, Received, Took, Rate, Now, Answers, LeftOut, Traps, Settings, Seeds, Begun, Started,
	Last, Into, Recent, Failures, Address, Answer, When, Pause, Resume, Stop, NoPlace, ByRobots, ByScope,
	ByDepth, ByExcluded, ByPrivate, ByUnreachable, ByMalformed, ByTrap, TrapLength, TrapPath, TrapRedirects,
	TrapCalendar, TrapRequests, TrapLinks, FailedSteps, Runs, Found, Visited, MetBefore, Duplicates, Harvest, MeanFetch, MeanRender, MeanSize,
	NoDifference, DocumentsCSV, DocumentsJSON string
}

// Jobs has the texts of the page for ordering crawls.
type Jobs struct {
	Title, List, None, NobodyTakes, Seeds, Name, Scope, ScopeHost, ScopePage, ScopePrefix, ScopeDomain, MaxPages, MaxDepth, Walltime, Browser,
	Template, ByFile, File, Anew, Leave, Cancel, Waiting, Done, Canceled string
}

// Edit has the texts of the page for editing templates and rankings.
type Edit struct {
	Title, Templates, TemplatesIntro, Rankings, RankingsIntro, TryOn, Try, Save, Saved, InFile, Link, SaveTemplate string
}

// Follows has the texts of the pages of followed sources.
type Follows struct {
	Title, One, None, Begin, All, Running, Ended, Spent, Requests, Received, Waiting, Useful, New, Changed, Captured, Lost,
	Pushed, Forged, Lag, Sources, Source, Asked, Next, News, PerDay, Polls, Entries, Notes, Due, Aside, TakeBack string
}

// Monitor has the texts of the page of recent changes and rising terms.
type Monitor struct {
	Title, Intro, Since, Day, Week, Month, Year, SinceThen, Between, AtLeast, Newest, SeeNewest string
	NotShown                                                                                    Count
	Follow, New, Share, Rested, Rising, RisingIntro, ColNow, ColPast, NoRising                  string
}
