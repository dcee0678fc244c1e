package banner

// A SpanOp says what happened to a piece of text between two captures.
type SpanOp uint8

// The operations.
const (
	Equal SpanOp = iota
	Deleted
	Added
	Moved // is elsewhere on the other side
)

// A Span is a piece of a text block. Mark says that the reader looks for it.
type Span struct {
	Op   SpanOp
	Text string
	Mark bool
}

// A TermCount says how often a word or phrase occurs in the older and in the newer text.
type TermCount struct {
	Text          string
	Before, After int
}

// A DiffRow is one text block on both sides; a side that lacks it is nil. If Skipped > 0, the row has no text and
// stands for that many equal blocks that are left out.
type DiffRow struct {
	Before, After []Span
	Heading       bool
	Skipped       int
}

// A DiffSide is one of the two captures that are compared.
type DiffSide struct {
	CaptureLink
	Title string
}

// A DiffView is the page that compares two captures of a URI-R.
type DiffView struct {
	Page
	Difference
	Older, Newer   DiffSide
	Earlier, Later string // diffs of the neighbouring pairs of versions
	Terms          []TermCount
	Calendar       string
	Slider         string // all versions on a slider
	Watch          string // the change as an animation
}

// A Difference is how one text differs from another. Its counts are those of its rows.
type Difference struct {
	Added, Deleted, Moved int // words
	Similarity            Similarity
	Rows                  []DiffRow // empty: the texts are equal
	NoText                bool      // one of the two has no text
}
