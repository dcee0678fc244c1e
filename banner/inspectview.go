package banner

import (
	"iter"
	"strconv"

	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

// An InspectView is the page on which a reader points at something in an archived page, and sees its values in all versions.
type InspectView struct {
	Page
	Capture  CaptureLink // of the page in the frame
	Frame    string      // its address, "" if the capture is no page
	Prev     *CaptureLink
	Next     *CaptureLink // versions before and behind it, to be inspected
	Action   string       // of the form: GET
	Field    InspectField
	Chosen   *InspectChosen // nil without a selector
	Template string         // YAML
	Wrong    string         // what is wrong with selector or template, in English; "" if nothing
	Crawl    string         // all fields as they stand in a crawl file; "" without any
	Rule     string         // as they stand in the configuration of a collection
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
	More          bool   // there are more than Finds
	XPath         string // another way to say the same, "" for none
	Holds, Others int    // in how many of some other versions it finds exactly one; Others is -1 if nobody looked
	Within        []Link // the element and what it is in, from the outermost on
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
	CaptureLink               // the capture that was read
	First, Last cdx.Timestamp // of the version
	Note        InspectNote
	Say         string // of an access rule
	Cells       []InspectCell
}

// An InspectCell has the values of a field.
type InspectCell struct {
	Values  []string
	Changed bool // they were others in the version before
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
