package views

import (
	"iter"
	"strconv"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

// An InspectView is the page on which a reader points at something in an archived page, and sees its values in all versions.
type InspectView struct {
	Page
	Capture  banner.CaptureLink // of the page in the frame
	Frame    string             // its address, "" if the capture is no page
	Prev     *banner.CaptureLink
	Next     *banner.CaptureLink // versions before and behind it, to be inspected
	Action   string              // of the form: GET
	Field    InspectField
	Chosen   *InspectChosen // nil without a selector
	Each     string         // what finds the rows of a page, "" for one document a page
	Key      string         // the field by which rows are known again, "" for the first
	Template string         // YAML
	Wrong    string         // what is wrong with selector or template, in English; "" if nothing
	Crawl    string         // all fields as they stand in a crawl file; "" without any
	Rule     string         // as they stand in the configuration of a collection
	Save     string         // where that can be saved, "" if nowhere
	Counts   []LevelCount
	From, To string // 1 to 14 digits, "" for all versions
	Columns  []string
	Rows     iter.Seq[InspectRow] // is iterated once, while the page is written; nil without a field
	Rest     func() string        // once it was: the address of what there was no time for, "" if there is nothing
	CSV      string
	JSON     string
}

// An InspectField is what stands in the form.
type InspectField struct {
	Name, CSS, XPath, Type, Attribute, Clean string
	All                                      bool
}

// An InspectChosen is what the field in the form finds on the page in the frame.
type InspectChosen struct {
	Number        int // of the element, -1 for none
	Finds         int
	More          bool          // there are more than Finds
	XPath         string        // another way to say the same, "" for none
	Holds, Others int           // in how many of some other versions it finds exactly one; Others is -1 if nobody looked
	Within        []banner.Link // the element and what it is in, from the outermost on
	ListRows      int           // of the list that it stands in; 0 for none
	ReadRows      string        // where each row of it is read
}

// An InspectNote says why a version has no values.
type InspectNote uint8

// The notes.
const (
	InspectOK InspectNote = iota
	InspectRedirect
	InspectMissing
	InspectError
	InspectNoPage
	InspectUnreadable
	InspectBlocked
	InspectTooSlow
)

// An InspectRow is a version.
type InspectRow struct {
	banner.CaptureLink               // the capture that was read
	First, Last        cdx.Timestamp // of the version
	Note               InspectNote
	Say                string // of an access rule
	Cells              []InspectCell
	Rows               *InspectRows // in place of Cells where each row of a page is read
}

// InspectRows say what became of the rows of a page since the version before.
type InspectRows struct {
	All                     int
	More                    bool // and more, that were not read
	Added, Removed, Changed int
	List                    []InspectListed
	Hidden                  int // of them that List doesn't have
}

// An InspectListed is a row that was added, removed or changed.
type InspectListed struct {
	Op    string // added, removed or changed
	Row   int    // its number
	Cells []InspectCell
}

// An InspectCell has the values of a field.
type InspectCell struct {
	Values  []string
	Changed bool     // they were others in the version before
	Was     []string // those of the version before, where a row is known again
}

// types are the types of fields with their names.
func fieldTypes(t texts) [][2]string {
	i := &t.Inspect
	return [][2]string{{"text", i.TypeText}, {"link", i.TypeLink}, {"image", i.TypeImage}, {"number", i.TypeNumber}, {"date", i.TypeDate}}
}

func (n InspectNote) words(t texts) string {
	i := &t.Inspect
	return [...]string{
		InspectRedirect: i.IsRedirect, InspectMissing: i.IsMissing, InspectError: i.IsError, InspectNoPage: i.IsNoPage,
		InspectUnreadable: i.IsUnreadable, InspectBlocked: t.ErrBlocked, InspectTooSlow: i.IsTooSlow,
	}[n]
}

// finds says how many elements a selector finds on the page.
func (c *InspectChosen) finds(t texts) string {
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

func (v *InspectView) chosen() string {
	if v.Chosen == nil {
		return "-1"
	}
	return strconv.Itoa(v.Chosen.Number)
}

// opWords says what became of a row.
func opWords(t texts, op string) string {
	switch op {
	case "added":
		return t.Inspect.RowNew
	case "removed":
		return t.Inspect.RowGone
	}
	return t.Inspect.Changed
}

// summary says how many rows there are, and what became of how many.
func (r *InspectRows) summary(t texts) string {
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
