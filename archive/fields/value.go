package fields

import (
	"encoding/json"
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

// ParseNumber reads a number: digits with a point and a sign, perhaps with an exponent.
func ParseNumber(s string) (n float64, ok bool) {
	if strings.ContainsAny(s, "xXpP_nN") { // no hexadecimal numbers, no NaN, no Inf
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && !math.IsInf(n, 0)
}

func formatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// dateForms returns the supported forms of dates, in the order in which they are tried. Names of months are English.
func dateForms() []string {
	return []string{
		time.RFC3339, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04",
		"2006-01-02", "2006/01/02", "20060102150405", "20060102", "2006-01", "2006",
		time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC,
		"2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "January 2 2006", "Jan 2 2006",
		"2 January 2006, 15:04", "2 Jan 2006 15:04",
		"Monday, 2 January 2006", "Monday, January 2, 2006", "January 2006", "Jan 2006",
		"2.1.2006", "02.01.2006", "2. 1. 2006", "2.1.2006 15:04", "02.01.2006, 15:04",
	}
}

// ParseDate parses a date in the form of ISO 8601, of HTTP, in English with the name of the month, with points as in 31.12.2016, or of 4 to
// 14 digits. The default time zone is UTC. Dates with slashes are accepted only if the year comes first, because otherwise month and day
// are ambiguous.
func ParseDate(s string) (d time.Time, ok bool) {
	for _, form := range dateForms() {
		if d, err := time.Parse(form, s); err == nil && d.Year() > 0 {
			return d.UTC(), true
		}
	}
	return time.Time{}, false
}

func formatDate(d time.Time) string {
	if d.Equal(d.Truncate(24 * time.Hour)) {
		return d.Format(time.DateOnly)
	}
	return d.Format("2006-01-02T15:04:05Z")
}
