package answers

import (
	"math"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/cdx"
)

// Parse reads a query that may use the collection's named fields, such as price:10..20.
func (s *Collection) Parse(typed string) (query.Query, error) {
	var names []query.Name
	for _, c := range s.Columns() {
		name := query.Name{Name: c.Name}
		if c.Type.Ordered() {
			name.Range = func(typed string) (query.Range, bool) { return rangeOf(c.Type, typed) }
		}
		names = append(names, name)
	}
	return query.Parse(typed, names...)
}

// rangeOf reads a range of values: 10..20, 10.., ..20, or a single value. A date may be short: 2017 is the whole year.
func rangeOf(t fields.Type, typed string) (r query.Range, ok bool) {
	from, to, isRange := strings.Cut(typed, "..")
	if !isRange {
		to = from
	}
	r = query.Range{From: math.Inf(-1), To: math.Inf(1)}
	if from != "" {
		if r.From, _, ok = span(t, from); !ok {
			return r, false
		}
	}
	if to != "" {
		if _, r.To, ok = span(t, to); !ok {
			return r, false
		}
	}
	return r, from != "" || to != ""
}

// span returns the first and the last number that a value covers.
func span(t fields.Type, typed string) (from, to float64, ok bool) {
	if from, ok = t.Order(typed); !ok || t != fields.Date {
		return from, from, ok
	}
	digits := strings.NewReplacer("-", "", "T", "", ":", "", "Z", "").Replace(typed)
	if last, err := cdx.ParseTimestampEnd(digits); err == nil {
		return from, float64(last.Unix()), true
	}
	return from, from + float64(24*time.Hour/time.Second) - 1, true // a date that is written with a month has a day
}
