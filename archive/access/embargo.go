package access

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx"
)

// An Embargo limits a rule by the clock. With both ages, it applies to captures that fit either.
type Embargo struct {
	Newer Age       // only captures that are younger
	Older Age       // only captures that are older
	Until time.Time // the rule ends then
}

// passes returns the reason why the rule doesn't apply to a capture, "" if it does.
func (e Embargo) passes(captured cdx.Timestamp, now time.Time) string {
	if !e.Until.IsZero() && !now.Before(e.Until) {
		return "it ended " + e.Until.Format(time.DateOnly)
	}
	if e.Newer.zero() && e.Older.zero() {
		return ""
	}
	if !e.Newer.zero() && captured > cdx.FromTime(e.Newer.before(now)) || !e.Older.zero() && captured < cdx.FromTime(e.Older.before(now)) {
		return ""
	}
	switch {
	case e.Older.zero():
		return "the capture is not newer than " + e.Newer.String()
	case e.Newer.zero():
		return "the capture is not older than " + e.Older.String()
	}
	return fmt.Sprintf("the capture is neither newer than %s nor older than %s", e.Newer, e.Older)
}

// String returns the limits of the embargo in words, "" for none.
func (e Embargo) String() string {
	var parts []string
	if !e.Newer.zero() {
		parts = append(parts, "newer than "+e.Newer.String())
	}
	if !e.Older.zero() {
		parts = append(parts, "older than "+e.Older.String())
	}
	out := strings.Join(parts, " or ")
	if !e.Until.IsZero() {
		out = strings.TrimPrefix(out+", until "+e.Until.Format(time.DateOnly), ", ")
	}
	return out
}

// An Age is a span of the calendar.
type Age struct {
	Years, Months, Days int
}

// ParseAge reads an age such as "6 months" or "1 year 10 days".
func ParseAge(s string) (Age, error) {
	var a Age
	words := strings.Fields(s)
	for i := 0; i+1 < len(words); i += 2 {
		n, err := strconv.Atoi(words[i])
		if err != nil || n < 0 || n > 10_000 {
			return Age{}, badAge(s)
		}
		switch strings.TrimSuffix(words[i+1], "s") {
		case "year":
			a.Years += n
		case "month":
			a.Months += n
		case "week":
			a.Days += 7 * n
		case "day":
			a.Days += n
		default:
			return Age{}, badAge(s)
		}
	}
	if len(words)%2 != 0 || a.zero() {
		return Age{}, badAge(s)
	}
	return a, nil
}

func badAge(s string) error {
	return fmt.Errorf("%.40q: want a number of days, weeks, months or years, such as 6 months", s)
}

func (a Age) zero() bool { return a == Age{} }

// before returns the time that long before now. The 31st of a shorter month is the first of the next.
func (a Age) before(now time.Time) time.Time { return now.UTC().AddDate(-a.Years, -a.Months, -a.Days) }

// String returns the form that [ParseAge] reads.
func (a Age) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		unit string
	}{{a.Years, "year"}, {a.Months, "month"}, {a.Days, "day"}} {
		switch {
		case p.n == 1:
			parts = append(parts, "1 "+p.unit)
		case p.n > 1:
			parts = append(parts, strconv.Itoa(p.n)+" "+p.unit+"s")
		}
	}
	return strings.Join(parts, " ")
}
