package views

import (
	"strconv"

	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

// An AddressRow is one URI-R of a list.
type AddressRow struct {
	URIR, Href         string // Href: its calendar
	Captures, Versions int
	Changed            cdx.Timestamp // when its newest version began; 0 if there is only one
	Sort, MIME         string        // what is behind it: one of those in [AddressesView.Sorts], and its media type
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

// A Limit is a field of the form that narrows a list, with what was asked.
type Limit struct{ Name, Value string }

// An AddressesView lists URI-Rs of a collection, those that Page.URIR stands for. Prev and Next are further pages.
type AddressesView struct {
	Page
	Rows       []AddressRow
	Columns    []AddressColumn
	Counting   *Progress // of captures, if versions are still being counted, so that the list is in the order of addresses
	PartsOnly  bool      // no page fits, so that parts of pages are shown though nobody asked for them
	Prev, Next string
	CSV        string
	Everything string // the same list without limits, "" if there are none

	Pattern  string   // which addresses
	Asked    Asked    // what limits the list
	Sorts    []string // the values of type, in the order in which they are offered
	Statuses []string // the values of status
	Hidden   []Limit  // what the form keeps: the order and the level
}

// Asked has the limits of a list as they were typed; "" and 0 are none.
type Asked struct {
	Sort, Has, Status, Since, Until string
	Captures, Versions              int
	Bytes                           int64
}

// Any reports whether anything limits the list.
func (a Asked) Any() bool { return a != Asked{} }

// more reports whether it is limited by what is folded.
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

// sortName names a sort of addresses; "" is what people read.
func sortName(t texts, sort string) string {
	r := &t.Rooms
	return map[string]string{
		"": r.Reading, "any": r.AnyType, "page": r.Page, "document": r.Document, "image": r.Image, "media": r.Media,
		"style": r.Style, "script": r.Script, "font": r.Font, "data": r.Data, "other": r.Other,
	}[sort]
}

func columnName(t texts, name string) string {
	r := &t.Rooms
	return map[string]string{
		"address": r.ColPlace, "captures": t.ColCaptures, "versions": r.ColVersions, "changed": r.ColChanged, "type": t.ColType,
		"status": t.ColStatus, "first": t.ColFirst, "last": t.ColLast, "size": r.ColSize,
	}[name]
}

// numeric reports whether the values of a column are numbers, which stand at the end of their cells.
func (c AddressColumn) numeric() bool {
	switch c.Name {
	case "captures", "versions", "status", "size":
		return true
	}
	return false
}

// number is what a field for a number says; 0 leaves it empty.
func number[N int | int64](n N) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}
