package inspect

import (
	"iter"
	"strconv"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A pageView is the page on which a reader chooses an element of an archived page, and sees its value in all versions.
type pageView struct {
	layout.Page
	Capture  banner.CaptureLink // of the page in the frame
	Frame    string             // its address, "" if the capture is no page
	Prev     *banner.CaptureLink
	Next     *banner.CaptureLink // versions before and behind it, to be inspected
	Action   string              // of the form: GET
	Field    *fields.Field
	Chosen   *chosenView // nil without a selector
	Each     string      // selector of the rows of a page, "" for one document per page
	Key      string      // field that identifies a row across versions, "" for the first
	Template string      // YAML
	Wrong    string      // what is wrong with selector or template, in English; "" if nothing
	Crawl    string      // all fields as in a crawl file; "" without any
	Rule     string      // the same as in the configuration of a collection
	Save     string      // page on which the template can be saved, "" if there is none
	Counts   []layout.LevelCount
	From, To string // 1 to 14 digits, "" for all versions
	Columns  []string
	Rows     iter.Seq[rowView] // is iterated once, while the page is written; nil without a field
	Rest     func() string     // after that: the address of the versions that were not read in time, "" if none
	CSV      string
	JSON     string
}

// A chosenView is what the field in the form finds on the page in the frame.
type chosenView struct {
	Number        int // of the element, -1 for none
	Finds         int
	More          bool          // there are more than Finds
	XPath         string        // an equivalent XPath expression, "" for none
	Holds, Others int           // other versions in which it finds exactly one element, and all that were checked; Others is -1 if none were
	Within        []banner.Link // the element and its ancestors, from the outermost on
	ListRows      int           // rows of the list that contains the element; 0 for none
	ReadRows      string        // link that reads each row of it
}

type rowView struct {
	banner.CaptureLink               // the capture that was read
	First, Last        cdx.Timestamp // of the version
	Note               note
	Say                string // of an access rule
	Cells              []cellView
	Rows               *rowsView // used instead of Cells if each row of a page is read
}

// rowsView compares the rows of a page with those of the version before.
type rowsView struct {
	All                     int
	More                    bool // more rows exist that were not read
	Added, Removed, Changed int
	List                    []listedView
	Hidden                  int // number of rows that List leaves out
}

// A listedView is a row that was added, removed or changed.
type listedView struct {
	Op    string // added, removed or changed
	Row   int    // its number
	Cells []cellView
}

// A cellView has the values of a field.
type cellView struct {
	Values  []string
	Changed bool     // they differ from the version before
	Was     []string // values in the version before, for a row that exists in both
}

// fieldTypes returns the types of fields with their names.
func fieldTypes(t *locale.Language) [][2]string {
	i := &t.Inspect
	return [][2]string{{"text", i.TypeText}, {"link", i.TypeLink}, {"image", i.TypeImage}, {"number", i.TypeNumber}, {"date", i.TypeDate}}
}

func (n note) words(t *locale.Language) string {
	i := &t.Inspect
	return [...]string{
		isRedirect: i.IsRedirect, isMissing: i.IsMissing, isError: i.IsError, isNoPage: i.IsNoPage,
		isUnreadable: i.IsUnreadable, isBlocked: t.ErrBlocked, isTooSlow: i.IsTooSlow,
	}[n]
}

// finds says how many elements a selector finds on the page.
func (c *chosenView) finds(t *locale.Language) string {
	if c.Finds == 0 {
		return t.Inspect.FindsNone
	}
	s := t.Count(t.Inspect.Finds, c.Finds)
	if c.More {
		s = locale.Fill(t.Inspect.AtLeast, s)
	}
	if c.Others > 0 {
		s += t.Comma + locale.Fill(t.Inspect.Holds, t.Number(c.Holds), t.Number(c.Others))
	}
	return s
}

func (v *pageView) chosen() string {
	if v.Chosen == nil {
		return "-1"
	}
	return strconv.Itoa(v.Chosen.Number)
}

// opWords names what happened to a row.
func opWords(t *locale.Language, op string) string {
	switch op {
	case "added":
		return t.Inspect.RowNew
	case "removed":
		return t.Inspect.RowGone
	}
	return t.Inspect.Changed
}

// summary says how many rows there are, and how many changed.
func (r *rowsView) summary(t *locale.Language) string {
	s := t.Count(t.Inspect.Rows, r.All)
	if r.More {
		s = locale.Fill(t.Inspect.AtLeast, s)
	}
	for _, part := range []struct {
		n    int
		word string
	}{{r.Added, t.Inspect.RowNew}, {r.Removed, t.Inspect.RowGone}, {r.Changed, t.Inspect.Changed}} {
		if part.n > 0 {
			s += t.Comma + t.Number(part.n) + " " + part.word
		}
	}
	return s
}
