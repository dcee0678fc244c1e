package locale

import (
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"

	"github.com/varve-archive/varve/cdx"
)

// A Count is a phrase in the plural forms of its language (CLDR); a form that the language does not have is "".
type Count struct{ One, Few, Many, Other string }

// Count returns the phrase for n, with {0} filled in.
func (t *Language) Count(c Count, n int) string {
	return Fill(t.Form(c, n), t.Number(n))
}

// Form returns the plural form that the language uses for n, without filling it in.
func (t *Language) Form(c Count, n int) string {
	switch plural.Cardinal.MatchPlural(t.tag, abs(n), 0, 0, 0, 0) {
	case plural.One:
		return c.One
	case plural.Few:
		return c.Few
	case plural.Many:
		return c.Many
	}
	return c.Other
}

func abs(n int) int { return max(n, -n) }

// Number formats n with the language's digits and thousands separators.
func (t *Language) Number(n int) string {
	s := strconv.Itoa(abs(n))
	var b strings.Builder
	if n < 0 {
		b.WriteRune('−')
	}
	for i, d := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteString(t.Group)
		}
		b.WriteRune(t.Zero + d - '0')
	}
	return b.String()
}

// Size returns a number of bytes in the largest unit of which there is at least one, such as "1.4 MB".
func (t *Language) Size(n int64) string {
	units, size := []string{"B", "kB", "MB", "GB", "TB"}, float64(n)
	for size >= 999.5 && len(units) > 1 {
		size, units = size/1000, units[1:]
	}
	digits := 0
	if size < 9.95 && units[0] != "B" {
		digits = 1
	}
	return t.Digits(strconv.FormatFloat(size, 'f', digits, 64)) + "\u00a0" + units[0]
}

// Digits converts the digits in s to the language's. Years, days and clock times need it, because they have no
// separators.
func (t *Language) Digits(s string) string {
	if t.Zero == '0' {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return t.Zero + r - '0'
		}
		return r
	}, s)
}

// Fill replaces {0}, {1} … by the arguments, but not inside an argument.
func Fill(pattern string, args ...string) string {
	places := make([]string, 0, 2*len(args))
	for i, a := range args {
		places = append(places, "{"+strconv.Itoa(i)+"}", a)
	}
	return strings.NewReplacer(places...).Replace(pattern)
}

// Around splits a phrase at {0}, where markup is inserted.
func Around(pattern string) (before, after string) {
	before, after, _ = strings.Cut(pattern, "{0}")
	return before, after
}

// Some returns the phrase for n, "" for 0.
func (t *Language) Some(c Count, n int) string {
	if n == 0 {
		return ""
	}
	return t.Count(c, n)
}

// DateTime returns a datetime like "18 February 2017, 11:42 UTC".
func (t *Language) DateTime(ts cdx.Timestamp) string { return t.date(t.DateTimePattern, ts) }

// Day returns a date like "18 February 2017".
func (t *Language) Day(ts cdx.Timestamp) string { return t.date(t.DatePattern, ts) }

// Short returns a date like "18 Feb 2017".
func (t *Language) Short(ts cdx.Timestamp) string { return t.date(t.ShortPattern, ts) }

// Brief returns a datetime like "18 Feb 2017, 11:42 UTC", for long lists.
func (t *Language) Brief(ts cdx.Timestamp) string { return t.Short(ts) + t.Comma + t.Clock(ts) }

// Clock returns a time like "11:42 UTC".
func (t *Language) Clock(ts cdx.Timestamp) string { return t.date(t.ClockPattern, ts) }

// Year returns a year like "2017".
func (t *Language) Year(ts cdx.Timestamp) string { return t.Digits(ts.String()[:4]) }

// Plain returns a number without separators, such as a year.
func (t *Language) Plain(n int) string { return t.Digits(strconv.Itoa(n)) }

// Seconds returns a time of the day like "11:42:09", on pages that say that all times are in UTC.
func (t *Language) Seconds(ts cdx.Timestamp) string {
	s := ts.String()
	return t.Digits(s[8:10] + ":" + s[10:12] + ":" + s[12:14])
}

// Span says from which day to which.
func (t *Language) Span(first, last cdx.Timestamp) string {
	from, to := t.Day(first), t.Day(last)
	if from == to {
		return from
	}
	return Fill(t.FromTo, from, to)
}

func (t *Language) date(pattern string, ts cdx.Timestamp) string {
	if ts == 0 {
		return "–"
	}
	s := ts.String()
	month := int(ts.Time().Month())
	var b strings.Builder
	for len(pattern) > 0 {
		if pattern[0] != '{' || len(pattern) < 3 {
			b.WriteByte(pattern[0])
			pattern = pattern[1:]
			continue
		}
		switch pattern[1] {
		case 'd':
			b.WriteString(t.Digits(strings.TrimPrefix(s[6:8], "0")))
		case 'M':
			b.WriteString(t.Months[month-1])
		case 'N':
			b.WriteString(t.MonthsShort[month-1])
		case 'n':
			b.WriteString(t.Digits(strconv.Itoa(month)))
		case 'y':
			b.WriteString(t.Digits(s[:4]))
		case 'h':
			b.WriteString(t.Digits(s[8:10]))
		case 'm':
			b.WriteString(t.Digits(s[10:12]))
		}
		pattern = pattern[3:]
	}
	return b.String()
}

// Duration returns d in the largest suitable unit, like "3 days" or "2 years", or "" for less than a minute.
func (t *Language) Duration(d time.Duration) string {
	const day = 24 * time.Hour
	d = max(d, -d)
	switch {
	case d >= 730*day:
		return t.Count(t.Years, int(d/(365*day)))
	case d >= 2*day:
		return t.Count(t.Days, int(d/day))
	case d >= 2*time.Hour:
		return t.Count(t.Hours, int(d/time.Hour))
	case d >= time.Minute:
		return t.Count(t.Minutes, int(d/time.Minute))
	}
	return ""
}

// Drift says how far the parts of a page are from it in time, "" for less than a minute.
func (t *Language) Drift(d time.Duration) string { return t.apart(d, t.DriftLater, t.DriftEarlier) }

// PartDrift says how far one part of a page is from it in time, "" for less than a minute.
func (t *Language) PartDrift(d time.Duration) string { return t.apart(d, t.Info.Later, t.Info.Earlier) }

func (t *Language) apart(d time.Duration, later, earlier string) string {
	far := t.Duration(d)
	switch {
	case far == "":
		return ""
	case d > 0:
		return Fill(later, far)
	}
	return Fill(earlier, far)
}

// List joins the items that aren't empty with the language's comma.
func (t *Language) List(items ...string) string {
	kept := items[:0:0]
	for _, s := range items {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, t.Comma)
}
