package cdx

import (
	"fmt"
	"strconv"
	"time"
)

// Timestamp is a moment in UTC to the second, written as the decimal number YYYYMMDDhhmmss, so that
// numeric order is time order. The zero value means "no timestamp".
type Timestamp uint64

// FromTime returns the Timestamp of t, in UTC, cut to the second.
// Times outside the years 1 to 9999 give the zero Timestamp: fourteen digits cannot say them.
func FromTime(t time.Time) Timestamp {
	t = t.UTC()
	y, mo, d := t.Date()
	if y < 1 || y > 9999 {
		return 0
	}
	h, mi, s := t.Clock()
	return Timestamp(((((uint64(y)*100+uint64(mo))*100+uint64(d))*100+uint64(h))*100+uint64(mi))*100 + uint64(s))
}

// ParseTimestamp reads 1 to 14 digits. A short one is padded down to the earliest moment it can mean:
// "2014" is 1 January 2014, 00:00:00. A date that the calendar does not have (20140230, month 13, year 0) is an error.
func ParseTimestamp(s string) (Timestamp, error) {
	return parsePadded(s, "00010101000000")
}

// ParseTimestampEnd reads 1 to 14 digits and pads a short one up to the last moment it can mean:
// "2014" is 31 December 2014, 23:59:59. It is the inclusive upper bound of a CDX "to".
func ParseTimestampEnd(s string) (Timestamp, error) {
	if len(s) >= 6 && len(s) < 8 {
		first, err := parsePadded(s[:6], "00010101000000")
		if err != nil {
			return 0, err
		}
		last := FromTime(first.Time().AddDate(0, 1, 0).Add(-time.Second)).String()
		if len(s) == 7 && s[6] < last[6] { // the tens digit of the day: 0, 1 or 2 end in 9 unless it is the month's last
			last = last[:7] + "9" + last[8:]
		}
		return parsePadded(s, last)
	}
	return parsePadded(s, "99991231235959")
}

func parsePadded(s, pad string) (Timestamp, error) {
	if len(s) == 0 || len(s) > 14 {
		return 0, fmt.Errorf("timestamp %.20q: want 1 to 14 digits", s)
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, fmt.Errorf("timestamp %q: want 1 to 14 digits", s)
		}
	}
	full := s + pad[len(s):]
	// A lone tens digit of a month or day: "20141" means 1 October, "20140" January, "2014013" the 30th.
	if len(s) == 5 && pad[0] == '0' && s[4] == '1' {
		full = s + "0" + pad[6:]
	}
	if len(s) == 7 && pad[0] == '0' && s[6] != '0' {
		full = s + "0" + pad[8:]
	}
	if len(s) == 5 && pad[0] == '9' && s[4] == '0' {
		full = s + "9" + "30235959"
	}
	n, err := strconv.ParseUint(full, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("timestamp %q: %v", s, err)
	}
	ts := Timestamp(n)
	if !ts.Valid() {
		return 0, fmt.Errorf("timestamp %q: no such date", s)
	}
	return ts, nil
}

// Valid reports whether t names a second that the calendar has (a leap second counts as none).
func (t Timestamp) Valid() bool {
	return t != 0 && FromTime(t.Time()) == t
}

// Time returns t as a [time.Time] in UTC.
func (t Timestamp) Time() time.Time {
	n := uint64(t)
	two := func() int { v := n % 100; n /= 100; return int(v) }
	s, mi, h, d, mo := two(), two(), two(), two(), two()
	return time.Date(int(n), time.Month(mo), d, h, mi, s, 0, time.UTC)
}

// Unix returns the seconds since 1 January 1970, for distances between timestamps.
func (t Timestamp) Unix() int64 { return t.Time().Unix() }

// Distance returns the seconds between t and u, never negative.
func (t Timestamp) Distance(u Timestamp) int64 {
	d := t.Unix() - u.Unix()
	if d < 0 {
		return -d
	}
	return d
}

// String returns the fourteen digits.
func (t Timestamp) String() string {
	return string(t.Append(make([]byte, 0, 14)))
}

// Append appends the fourteen digits to b.
func (t Timestamp) Append(b []byte) []byte {
	var d [14]byte
	n := uint64(t)
	for i := 13; i >= 0; i-- {
		d[i] = byte('0' + n%10)
		n /= 10
	}
	return append(b, d[:]...)
}
