package views

import (
	"strconv"

	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// An AddressRow is one URI-R of a list.
type AddressRow struct {
	URIR, Href         string // Href: its calendar
	Captures, Versions int
	Changed            cdx.Timestamp // when its newest version began; 0 if there is only one
	Sort, MIME         string        // kind of the resource: one of [AddressesView.Sorts]; and its media type
	Status             int           // 0 if unknown
	First, Last        cdx.Timestamp
	Bytes              int64 // of its records
}

// An AddressColumn leads to the list in its order.
type AddressColumn struct {
	Name string // "address", "captures", "versions", "changed", "type", "status", "first", "last", "size"
	Href string
	Sort string // "ascending" or "descending" if the list is in this order, else ""
}

// A Limit is a field of the filter form with its value.
type Limit struct{ Name, Value string }

// An AddressesView lists URI-Rs of a collection that match Page.URIR. Prev and Next are further pages.
type AddressesView struct {
	layout.Page
	Rows       []AddressRow
	Columns    []AddressColumn
	Counting   *layout.Progress // of captures, while versions are still counted and the list is in the order of addresses
	PartsOnly  bool             // no page matches, so parts of pages are shown although they were not requested
	Prev, Next string
	CSV        string
	Everything string // the same list without limits, "" if there are none

	Pattern  string          // of the addresses
	Asked    Asked           // filters
	Sorts    []string        // the values of type, in the order in which they are offered
	Statuses []string        // the values of status
	Hidden   []layout.Hidden // other fields of the form: the order and the level
}

// Asked has the filters as they were typed; "" and 0 are none.
type Asked struct {
	Sort, Has, Status, Since, Until string
	Captures, Versions              int
	Bytes                           int64
}

// Any reports whether there is any filter.
func (a Asked) Any() bool { return a != Asked{} }

// more reports whether there is a filter in the folded part of the form.
func (a Asked) more() bool {
	a.Sort, a.Status, a.Has = "", "", ""
	return a.Any()
}

func (v *AddressesView) title(t texts) string {
	if v.Pattern == "*" {
		return locale.Fill(t.Rooms.AllIn, v.Coll.Text)
	}
	return locale.Fill(t.AddressesUnder, v.Pattern)
}

func columnName(t texts, name string) string {
	r := &t.Rooms
	return map[string]string{
		"address": r.ColPlace, "captures": t.ColCaptures, "versions": r.ColVersions, "changed": r.ColChanged, "type": t.ColType,
		"status": t.ColStatus, "first": t.ColFirst, "last": t.ColLast, "size": r.ColSize,
	}[name]
}

// numeric reports whether the values of a column are numbers, which are aligned to the end.
func (c AddressColumn) numeric() bool {
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
