package fields

import (
	"encoding/json"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"
)

// Values are the values of a page by the names of their fields. A text is as the page shows it, with single spaces; an
// address is absolute; a number is written with digits, a point and a sign; a date is 2006-01-02 or 2006-01-02T15:04:05Z.
type Values map[string][]string

// Pack returns values as a text, "" if there are none. Equal values have equal texts.
func (v Values) Pack() string {
	if len(v) == 0 {
		return ""
	}
	b, _ := json.Marshal(v) // strings can always be encoded
	return string(b)
}

// Unpack reads a result of [Values.Pack] or [PackRows]. It returns nothing for other texts.
func Unpack(packed string) Values {
	if packed == "" {
		return nil
	}
	if rows := UnpackRows(packed); rows != nil {
		return together(rows, math.MaxInt)
	}
	var v Values
	if json.Unmarshal([]byte(packed), &v) != nil {
		return nil
	}
	return v
}

// Order returns a number by which values of an ordered type are sorted; ok is false for an invalid value.
func (t Type) Order(v string) (n float64, ok bool) {
	switch t {
	case Number:
		return ParseNumber(v)
	case Date:
		d, ok := ParseDate(v)
		return float64(d.Unix()), ok
	}
	return 0, false
}

// ParseNumber reads a number: digits with a point and a sign, perhaps with an exponent. The sign may be a minus sign (U+2212).
func ParseNumber(s string) (n float64, ok bool) {
	if rest, minus := strings.CutPrefix(s, "\u2212"); minus {
		s = "-" + rest
	}
	if strings.ContainsAny(s, "xXpP_nN") { // no hexadecimal numbers, no NaN, no Inf
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n + 0, err == nil && !math.IsInf(n, 0) // no -0
}

func formatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// isoForms yields the supported forms of ISO 8601 and of HTML's time element, and those of digits and points. The forms in which dates are
// kept ([formatDate]) come first, since orders of results parse these.
func isoForms(yield func(form string) bool) {
	for _, form := range [...]string{
		time.DateOnly, time.RFC3339, "2006/01/02", "20060102150405", "20060102", "2006-01", "2006",
		"2.1.2006", "02.01.2006", "2. 1. 2006", "2.1.2006 15:04", "02.01.2006, 15:04",
	} {
		if !yield(form) {
			return
		}
	}
	for _, day := range [...]string{"2006-01-02T", "2006-01-02 "} {
		for _, clock := range [...]string{"15:04:05", "15:04"} { // parsing accepts a fraction of a second
			for _, zone := range [...]string{"", "Z07:00", "Z0700", " Z07:00", " -0700"} {
				if !yield(day + clock + zone) {
					return
				}
			}
		}
	}
}

// writtenForms yields the supported forms of dates with the name of the month, as [plainDate] returns them.
func writtenForms(yield func(form string) bool) {
	for _, form := range [...]string{
		"January 2006", "Jan 2006", "2-Jan-06 15:04:05 -0700", "Jan 2 15:04:05 2006", "Jan 2 15:04:05 -0700 2006",
	} {
		if !yield(form) {
			return
		}
	}
	for _, day := range [...]string{"2 Jan 2006", "2 January 2006", "Jan 2 2006", "January 2 2006", "2 Jan 06"} {
		for _, clock := range [...]string{"", " 15:04:05", " 15:04", " 3:04 PM", " 3:04PM", " 3:04:05 PM"} {
			if !yield(day+clock) || clock != "" && !yield(day+clock+" -0700") {
				return
			}
		}
	}
}

// ParseDate parses a date in the form of ISO 8601 or of HTML, of HTTP or mail, in English with the name of the month, with points as in
// 31.12.2016, or of 4 to 14 digits. The default time zone is UTC. Of zones with names, those of RFC 5322 §4.3 are known; others are taken
// for UTC, as that section says. Dates with slashes are accepted only if the year comes first, because otherwise month and day are
// ambiguous.
func ParseDate(s string) (d time.Time, ok bool) {
	if d, ok = parseForms(s, isoForms); ok {
		return d, true
	}
	return parseForms(plainDate(s), writtenForms)
}

func parseForms(s string, forms iter.Seq[string]) (d time.Time, ok bool) {
	for form := range forms {
		if d, err := time.Parse(form, s); err == nil && d.Year() > 0 {
			return d.UTC(), true
		}
	}
	return time.Time{}, false
}

// plainDate returns a written date without what varies in writing: the day of the week, commas, points of abbreviations, endings of ordinal
// numbers ("2nd"), a dash, and "at". A zone is written in digits.
func plainDate(s string) string {
	var out []string
	for i, w := range strings.Fields(s) {
		w = strings.TrimRight(w, ",.")
		if w == "" || !isDigit(w[0]) {
			w = strings.ReplaceAll(w, ".", "") // p.m.
		}
		switch lower := strings.ToLower(w); {
		case i == 0 && isWeekday(lower), lower == "at", lower == "-", lower == "":
			continue
		case lower == "sept":
			w = "Sep"
		case lower == "am", lower == "pm":
			w = strings.ToUpper(w)
		case len(w) <= 4 && isDigit(w[0]):
			w = strings.TrimRight(lower, "dhnrst")
		case len(out) > 0 && isClock(out[len(out)-1]) && !isDigit(w[len(w)-1]):
			w = zone(w)
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isClock reports whether a word of a date is a time of day or ends one.
func isClock(w string) bool { return strings.Contains(w, ":") || w == "AM" || w == "PM" }

func isWeekday(s string) bool {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := strings.ToLower(d.String()); s == name || s == name[:3] {
			return true
		}
	}
	return false
}

// zone returns the offset of a zone by its name (RFC 5322 §4.3).
func zone(name string) string {
	switch strings.ToUpper(name) {
	case "EDT":
		return "-0400"
	case "EST", "CDT":
		return "-0500"
	case "CST", "MDT":
		return "-0600"
	case "MST", "PDT":
		return "-0700"
	case "PST":
		return "-0800"
	}
	return "-0000"
}

func formatDate(d time.Time) string {
	if d.Equal(d.Truncate(24 * time.Hour)) {
		return d.Format(time.DateOnly)
	}
	return d.Format("2006-01-02T15:04:05Z")
}
