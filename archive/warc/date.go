package warc

import (
	"fmt"
	"net/http"
	"net/mail"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx"
)

// ParseDate parses a WARC-Date or WARC-Refers-To-Date (ISO 28500 §5.4, W3C-DTF) in every form found in real files: cut off after any part,
// with a fraction of a second, with an offset from UTC, as digits only like in ARC and CDX files, with the day of the year after the month
// like in ClueWeb09, or in the format of HTTP and mail.
func ParseDate(s string) (cdx.Timestamp, error) {
	s = ofTheMonth(s)
	digits, zone, ok := dateDigits(s)
	if !ok {
		return parseWordyDate(s)
	}
	ts, err := cdx.ParseTimestamp(digits)
	if err == nil {
		ts = shift(ts, zone)
	}
	if err != nil || !ts.Valid() {
		return 0, fmt.Errorf("no such date %.40q", s)
	}
	return ts, nil
}

// ofTheMonth replaces the day of the year after a month ("2008-10-294T…") by the day of the month. It leaves other dates unchanged.
func ofTheMonth(s string) string {
	date, clock, ok := strings.Cut(s, "T")
	if !ok || len(date) < len("2008-02-32") || date[4] != '-' || date[7] != '-' {
		return s
	}
	year, err := strconv.Atoi(date[:4])
	day, badDay := strconv.Atoi(date[8:])
	if err != nil || badDay != nil || day <= 31 {
		return s
	}
	if t := time.Date(year, time.January, day, 0, 0, 0, 0, time.UTC); t.Year() == year && t.Format("01") == date[5:7] {
		return t.Format("2006-01-02") + "T" + clock
	}
	return s
}

// maxWordyDate is longer than any date with a month's name.
const maxWordyDate = 64

// parseWordyDate reads dates that name the month, "Sun, 26 Jan 2014 20:06:24 GMT" (RFC 9110 §5.6.7, RFC 5322 §3.3).
func parseWordyDate(s string) (cdx.Timestamp, error) {
	if len(s) <= maxWordyDate {
		t, err := mail.ParseDate(s)
		if err != nil {
			t, err = http.ParseTime(s)
		}
		if err == nil && cdx.FromTime(t).Valid() {
			return cdx.FromTime(t), nil
		}
	}
	return 0, fmt.Errorf("no such date %.40q", s)
}

// maxDigits bounds the digits of a date: down to nanoseconds.
const maxDigits = 14 + 9

// dateDigits returns a date's parts as digits, two for each part after the year, and the rest after the seconds.
func dateDigits(s string) (digits, rest string, ok bool) {
	if len(s) > 4 && len(leadingDigits(s)) == len(s) && len(s) <= maxDigits {
		return s[:min(len(s), 14)], "", true
	}
	var packed [14]byte
	n := 0
	rest = s
	for _, width := range [...]int{4, 2, 2, 2, 2, 2} {
		d := leadingDigits(rest)
		if len(d) == 0 || len(d) > width || width == 4 && len(d) < 4 {
			return "", "", false
		}
		n += copy(packed[n:], "0"[:width-len(d)])
		n += copy(packed[n:], d)
		rest = rest[len(d):]
		if rest == "" || !strings.ContainsRune("-/T: t", rune(rest[0])) || n > 8 && rest[0] == '-' { // after the day, "-" begins an offset
			break
		}
		rest = rest[1:]
	}
	if n == len(packed) && string(packed[12:]) == "60" { // a leap second, which Timestamp can't hold
		copy(packed[12:], "59")
	}
	return string(packed[:n]), strings.TrimLeft(rest, ".,0123456789"), true
}

// shift moves a local time to UTC. zone is the offset as written; anything else counts as UTC.
func shift(ts cdx.Timestamp, zone string) cdx.Timestamp {
	if len(zone) < 3 {
		return ts
	}
	hours, err := strconv.Atoi(zone[:3])
	if err != nil {
		return ts
	}
	minutes, err := strconv.Atoi(strings.TrimPrefix(zone[3:], ":"))
	if err != nil {
		minutes = 0
	}
	if zone[0] == '-' {
		minutes = -minutes
	}
	t := ts.Time().Add(-time.Duration(hours)*time.Hour - time.Duration(minutes)*time.Minute)
	return cdx.FromTime(t)
}

func leadingDigits(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i]
}
