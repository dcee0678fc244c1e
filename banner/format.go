package banner

import (
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"

	"github.com/varve-archive/varve/cdx"
)

// A count is a phrase in the plural forms its language has (CLDR); a form left empty falls back to Other.
type count struct{ One, Few, Many, Other string }

// n returns the phrase for n, with {0} written out.
func (t *texts) n(c count, n int) string {
	return fill(t.form(c, n), t.number(n))
}

func (t *texts) form(c count, n int) string {
	s := c.Other
	switch plural.Cardinal.MatchPlural(tagOf[t], abs(n), 0, 0, 0, 0) {
	case plural.One:
		s = c.One
	case plural.Few:
		s = c.Few
	case plural.Many:
		s = c.Many
	}
	if s == "" {
		return c.Other
	}
	return s
}

func abs(n int) int { return max(n, -n) }

// number writes n with the language's digits and thousands separators.
func (t *texts) number(n int) string {
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

// digits writes s with the language's digits: years, days and clock times take no separators.
func (t *texts) digits(s string) string {
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

// fill puts the arguments where {0}, {1} … stand.
func fill(pattern string, args ...string) string {
	for i, a := range args {
		pattern = strings.Replace(pattern, "{"+strconv.Itoa(i)+"}", a, 1)
	}
	return pattern
}

// dateTime is "18 February 2017, 11:42 UTC".
func (t *texts) dateTime(ts cdx.Timestamp) string { return t.date(t.DateTime, ts) }

// day is "18 February 2017".
func (t *texts) day(ts cdx.Timestamp) string { return t.date(t.Date, ts) }

// short is "18 Feb 2017".
func (t *texts) short(ts cdx.Timestamp) string { return t.date(t.Short, ts) }

// brief is "18 Feb 2017, 11:42 UTC", for long lists.
func (t *texts) brief(ts cdx.Timestamp) string { return t.short(ts) + t.Comma + t.clock(ts) }

// clock is "11:42 UTC".
func (t *texts) clock(ts cdx.Timestamp) string { return t.date(t.Clock, ts) }

func (t *texts) year(ts cdx.Timestamp) string { return t.digits(ts.String()[:4]) }

func (t *texts) date(pattern string, ts cdx.Timestamp) string {
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
			b.WriteString(t.digits(strings.TrimPrefix(s[6:8], "0")))
		case 'M':
			b.WriteString(t.Months[month-1])
		case 'N':
			b.WriteString(t.MonthsShort[month-1])
		case 'n':
			b.WriteString(t.digits(strconv.Itoa(month)))
		case 'y':
			b.WriteString(t.digits(s[:4]))
		case 'h':
			b.WriteString(t.digits(s[8:10]))
		case 'm':
			b.WriteString(t.digits(s[10:12]))
		}
		pattern = pattern[3:]
	}
	return b.String()
}

// duration is the largest unit that says d well: "3 days", "2 years". Under a minute it is "".
func (t *texts) duration(d time.Duration) string {
	const day = 24 * time.Hour
	d = max(d, -d)
	switch {
	case d >= 730*day:
		return t.n(t.Years, int(d/(365*day)))
	case d >= 2*day:
		return t.n(t.Days, int(d/day))
	case d >= 2*time.Hour:
		return t.n(t.Hours, int(d/time.Hour))
	case d >= time.Minute:
		return t.n(t.Minutes, int(d/time.Minute))
	}
	return ""
}

// drift says how far parts of a page are from it, "" where they agree to the minute.
func (t *texts) drift(d time.Duration) string {
	far := t.duration(d)
	switch {
	case far == "":
		return ""
	case d > 0:
		return fill(t.DriftLater, far)
	}
	return fill(t.DriftEarlier, far)
}

// list joins what is not empty with the language's comma.
func (t *texts) list(items ...string) string {
	kept := items[:0:0]
	for _, s := range items {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, t.Comma)
}
