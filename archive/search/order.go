package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
)

// A Sort is what hits are sorted by.
type Sort uint8

// The columns of pages and of changes.
const (
	ByScore Sort = iota // best first
	ByURL               // by SURT
	ByTitle             // of the best version of a page; of the version of a change that has the text

	ByFirst    // the first capture of the first version that matches
	ByLast     // the last capture of the last version that matches
	ByVersions // the number of versions that match
	ByStill    // whether the newest version matches

	ByMemento // the datetime of the best version
	ByStatus  // of the best version, like the next
	ByMIME
	ByLang
	ByField // a value that a template read from the best version

	ByBefore // the datetime of the older version of a change
	ByAfter
	ByCountBefore
	ByCountAfter
	BySize  // the number of deleted and added words
	ByWhole // whether a change deleted or added the whole content
)

// An Order is an order of hits. The zero value is best first.
type Order struct {
	Sort Sort
	By   string // the field, for ByField
	// Falling puts the greatest value first, else the smallest is. Hits without a value come last.
	Falling bool
}

// sortNames are the names of columns, as they are in URLs, tables and JSON.
var sortNames = [...]string{
	"score", "url", "title", "first", "last", "versions", "still", "memento", "status", "mime", "lang", "", "before", "after", "count_before",
	"count_after", "size", "whole",
}

// PageOrder reads an order of pages: score, newest, oldest, the name of a field or a column, with - before it for the greatest first.
func PageOrder(name string, columns []fields.Column) (Order, error) {
	by, falling := strings.CutPrefix(name, "-")
	if slices.ContainsFunc(columns, func(c fields.Column) bool { return c.Name == by }) {
		return Order{ByField, by, falling}, nil
	}
	return orderOf(name, ByLast, ByFirst, func(s Sort) bool { return s < ByField })
}

// ChangeOrder reads an order of changes.
func ChangeOrder(name string) (Order, error) {
	return orderOf(name, ByAfter, ByAfter, func(s Sort) bool { return s <= ByTitle || s > ByField })
}

func orderOf(name string, newest, oldest Sort, has func(Sort) bool) (Order, error) {
	switch name {
	case "", sortNames[ByScore]:
		return Order{}, nil
	case "newest":
		return Order{Sort: newest, Falling: true}, nil
	case "oldest":
		return Order{Sort: oldest}, nil
	}
	by, falling := strings.CutPrefix(name, "-")
	var names []string
	for i, n := range sortNames {
		switch s := Sort(i); {
		case s == ByScore || !has(s):
		case n == by:
			return Order{Sort: s, Falling: falling}, nil
		default:
			names = append(names, n)
		}
	}
	return Order{}, fmt.Errorf("sort %.40q: want score, newest or oldest, or a column, with - before it for the greatest first: %s",
		name, strings.Join(names, ", "))
}

// isOfBest reports whether the order is by something of the best version of a page. Then that has to be known of every page.
func (o *Order) isOfBest() bool { return o.Sort == ByTitle || o.Sort >= ByMemento && o.Sort <= ByField }

// A place is the position of a hit in an order.
type place struct {
	known  bool
	number float64
	text   string
}

func numbered[T ~int | ~uint64 | ~int64](n T) place { return place{known: n != 0, number: float64(n)} }

func texted(s string) place { return place{known: s != "", text: s} }

func truth(is bool) place {
	p := place{known: true}
	if is {
		p.number = 1
	}
	return p
}

// PlaceBy sets the place of a page in an order; column is that of [Order.By].
func (f *Found) PlaceBy(o *Order, column fields.Column) {
	v := &f.Best.Version
	switch o.Sort {
	case ByURL:
		f.place = texted(f.Key)
	case ByTitle:
		f.place = texted(v.Title)
	case ByFirst:
		f.place = numbered(f.First)
	case ByLast:
		f.place = numbered(f.Last)
	case ByVersions:
		f.place = numbered(f.Versions)
	case ByStill:
		f.place = truth(f.Still)
	case ByMemento:
		f.place = numbered(v.First)
	case ByStatus:
		f.place = numbered(v.Status)
	case ByMIME:
		f.place = texted(v.MIME)
	case ByLang:
		f.place = texted(v.Lang)
	case ByField:
		f.place = placeOf(column, v.Fields)
	}
}

// placeOf returns the place by the first value of a field.
func placeOf(by fields.Column, packed string) place {
	values := fields.Unpack(packed)[by.Name]
	if len(values) == 0 {
		return place{}
	}
	if by.Type.Ordered() {
		n, ok := by.Type.Order(values[0])
		return place{known: ok, number: n}
	}
	return place{known: true, text: values[0]}
}

// Compare compares pages whose places are set.
func (o *Order) Compare(a, b *Found) int {
	by := 0
	if o.Sort == ByScore {
		by = trueFirst(a.Whole, b.Whole)
	} else {
		by = a.place.compare(&b.place, o.Falling)
	}
	return cmp.Or(by, cmp.Compare(b.Score, a.Score), cmp.Compare(b.Last, a.Last), strings.Compare(a.Key, b.Key))
}

func (h *Hit) place(o *Order, k Kind) place {
	switch o.Sort {
	case ByURL:
		return texted(h.Key)
	case ByTitle:
		return texted(h.title)
	case ByBefore:
		return numbered(h.Before)
	case ByAfter:
		return numbered(h.After)
	case ByCountBefore:
		return place{known: true, number: float64(h.CountBefore)}
	case ByCountAfter:
		return place{known: true, number: float64(h.CountAfter)}
	case BySize:
		return place{known: true, number: float64(h.Size())}
	}
	return truth(h.Whole(k))
}

// CompareChanges compares changes. Unless they are sorted otherwise, edits come before changes of the whole content.
func (r *Request) CompareChanges(a, b *Hit) int {
	o, k, by := &r.Order, r.Kind, 0
	if o.Sort == ByScore {
		by = trueFirst(!a.Whole(k), !b.Whole(k))
	} else {
		x, y := a.place(o, k), b.place(o, k)
		by = x.compare(&y, o.Falling)
	}
	return cmp.Or(by, cmp.Compare(b.Score, a.Score), cmp.Compare(b.After, a.After), strings.Compare(a.Key, b.Key),
		cmp.Compare(b.Before, a.Before))
}

// compare orders two places; hits without a value come last in both directions.
func (a *place) compare(b *place, falling bool) int {
	by := cmp.Or(cmp.Compare(a.number, b.number), strings.Compare(strings.ToLower(a.text), strings.ToLower(b.text)),
		strings.Compare(a.text, b.text))
	if falling {
		by = -by
	}
	return cmp.Or(trueFirst(a.known, b.known), by)
}

// trueFirst puts what is true before what isn't.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
