package addresses

import (
	"strconv"

	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A rowView is an address of a list.
type rowView struct {
	*holdings.ListedAddress
	Href string // its calendar
}

// A columnView leads to the list in its order.
type columnView struct {
	Name string // "address", "captures", "versions", "changed", "type", "status", "first", "last", "size"
	Href string
	Sort string // "ascending" or "descending" if the list is in this order, else ""
}

// A pageView lists URI-Rs of a collection that match Page.URIR. Prev and Next are further pages.
type pageView struct {
	layout.Page
	Rows       []rowView
	Columns    []columnView
	Counting   *layout.Progress // of captures, while versions are still counted and the list is in the order of addresses
	PartsOnly  bool             // no page matches, so parts of pages are shown although they were not requested
	Prev, Next string
	CSV        string
	Everything string // the same list without limits, "" if there are none

	Pattern  string          // of the addresses
	Asked    asked           // filters
	Sorts    []string        // the values of type, in the order in which they are offered
	Statuses []string        // the values of status
	Hidden   []layout.Hidden // other fields of the form: the order and the level
}

// asked has the filters as they were typed; "" and 0 are none.
type asked struct {
	Sort, Has, Status, Since, Until string
	Captures, Versions              int
	Bytes                           int64
}

func (a asked) any() bool { return a != asked{} }

// more reports whether there is a filter in the folded part of the form.
func (a asked) more() bool {
	a.Sort, a.Status, a.Has = "", "", ""
	return a.any()
}

func (v *pageView) title(t *locale.Language) string {
	if v.Pattern == "*" {
		return locale.Fill(t.Browse.AllIn, v.Coll.Text)
	}
	return locale.Fill(t.AddressesUnder, v.Pattern)
}

func columnName(t *locale.Language, name string) string {
	r := &t.Browse
	return map[string]string{
		"address": r.ColPlace, "captures": t.ColCaptures, "versions": r.ColVersions, "changed": r.ColChanged, "type": t.ColType,
		"status": t.ColStatus, "first": t.ColFirst, "last": t.ColLast, "size": r.ColSize,
	}[name]
}

// numeric reports whether the values of a column are numbers, which are aligned to the end.
func (c columnView) numeric() bool {
	switch c.Name {
	case "captures", "versions", "status", "size":
		return true
	}
	return false
}

// number formats the value of a number field; 0 is empty.
func number[N int | int64](n N) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}
