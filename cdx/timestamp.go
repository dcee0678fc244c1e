package cdx

import (
	"fmt"
	"time"
)

// Timestamp is a UTC time to the second, written as the decimal number YYYYMMDDhhmmss, so that numeric order is time
// order. The zero value means "no timestamp".
type Timestamp uint64

// FromTime returns the Timestamp of t, in UTC, cut to the second. Times outside the years 1 to 9999 don't fit into
// fourteen digits; for them it returns 0.
func FromTime(t time.Time) Timestamp {
	t = t.UTC()
	y, mo, d := t.Date()
	if y < 1 || y > 9999 {
		return 0
	}
	h, mi, s := t.Clock()
	return Timestamp(((((uint64(y)*100+uint64(mo))*100+uint64(d))*100+uint64(h))*100+uint64(mi))*100 + uint64(s))
}

// ParseTimestamp reads 1 to 14 digits. It pads fewer than 14 down to the earliest time they can mean: "2014" is 1
// January 2014, 00:00:00, and "20141" is 1 October. A date that doesn't exist (20140230, month 13, year 0) is an error.
func ParseTimestamp(s string) (Timestamp, error) {
	return parsePadded(s, false, false)
}

// ParseTimestampEnd reads 1 to 14 digits and pads fewer than 14 up to the latest time they can mean: "2014" is 31
// December 2014, 23:59:59. That is the inclusive upper bound that a CDX "to" means.
func ParseTimestampEnd(s string) (Timestamp, error) {
	return parsePadded(s, true, false)
}

// ParseAsked is [ParseTimestamp] for what a client asks for: a date that doesn't exist is the nearest that does. Clients of other archives
// write 20140000000000 for a year, 20140631 for the end of a month, and 99999999999999 for the newest.
func ParseAsked(s string) (Timestamp, error) { return parsePadded(s, false, true) }

// ParseAskedEnd is [ParseTimestampEnd] for what a client asks for.
func ParseAskedEnd(s string) (Timestamp, error) { return parsePadded(s, true, true) }

func parsePadded(s string, up, asked bool) (Timestamp, error) {
	if len(s) == 0 || len(s) > 14 {
		return 0, fmt.Errorf("timestamp %.20q: want 1 to 14 digits", s)
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, fmt.Errorf("timestamp %q: want 1 to 14 digits", s)
		}
	}
	year, rest, ok := padField(s, 4, 1, 9999, up, asked)
	n, month := year, 0
	for i := 0; i < 5 && ok; i++ {
		least, most := 0, 59
		switch i {
		case 0:
			least, most = 1, 12
		case 1:
			least, most = 1, daysIn(year, month)
		case 2:
			most = 23
		}
		var v int
		v, rest, ok = padField(rest, 2, least, most, up, asked)
		if i == 0 {
			month = v
		}
		n = n*100 + v
	}
	if !ok {
		return 0, fmt.Errorf("timestamp %q: no such date", s)
	}
	return Timestamp(n), nil
}

// padField reads a number of width digits between least and most off the front of s. It fills in missing digits to make
// the number as small, or as large, as possible. What is asked for may lie outside.
func padField(s string, width, least, most int, up, asked bool) (v int, rest string, ok bool) {
	n := min(width, len(s))
	scale := 1
	for i := range width {
		v *= 10
		if i < n {
			v += int(s[i] - '0')
		} else {
			scale *= 10
		}
	}
	low, high := max(v, least), min(v+scale-1, most)
	switch {
	case low <= high:
	case !asked:
		return 0, "", false
	case v > most:
		low, high = most, most
	default:
		low, high = least, least
	}
	if up {
		return high, s[n:], true
	}
	return low, s[n:], true
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// Valid reports whether t is a time of the calendar, without leap seconds.
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

// Year returns the year.
func (t Timestamp) Year() int { return int(t / 1e10) }

// Unix returns the seconds since 1 January 1970.
func (t Timestamp) Unix() int64 {
	n := uint64(t)
	two := func() int64 { v := n % 100; n /= 100; return int64(v) }
	s, mi, h, d, mo := two(), two(), two(), two(), two()
	return ((daysTo(int64(n), mo)+d-1)*24+h)*3600 + mi*60 + s
}

// daysTo returns the days from 1 January 1970 to the first of a month. It counts years from March, so that the leap day comes last.
// [time.Date] would be too slow, because distances are computed by the thousand.
func daysTo(year, month int64) int64 {
	if month -= 3; month < 0 {
		month += 12
		year--
	}
	const toEpoch = 719468 // from 1 March of year 0
	return year*365 + year/4 - year/100 + year/400 + (month*306+5)/10 - toEpoch
}

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
