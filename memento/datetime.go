package memento

import (
	"fmt"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx"
)

// ParseAcceptDatetime reads the value of Accept-Datetime (RFC 7089 §2.1.1), an rfc1123-date in GMT such as "Thu, 31
// May 2007 20:35:00 GMT".
//
// It accepts deviations that can't be misread, because clients send them: white space around and between the parts,
// any case, a one-digit day, a weekday that does not fit the date (RFC 7089 prints "Tue, 15 Sep 2000", which was a
// Friday), and UTC, UT, Z, +0000 or -0000 for GMT. Everything else is an error, to be answered with 400 (§4.5.3):
// two-digit years, other zones, other formats, and dates that don't exist.
func ParseAcceptDatetime(s string) (cdx.Timestamp, error) {
	t, ok := parseDatetime(s)
	if !ok {
		return 0, fmt.Errorf("datetime %.40q: want the form \"Thu, 31 May 2007 20:35:00 GMT\"", s)
	}
	return t, nil
}

// parseDatetime is [ParseAcceptDatetime] with a boolean for the error.
func parseDatetime(s string) (cdx.Timestamp, bool) {
	wkday, rest, _ := strings.Cut(s, ",")
	if !isWeekday(strings.TrimSpace(wkday)) {
		return 0, false
	}
	part := strings.Fields(rest)
	if len(part) != 5 || !isGMT(part[4]) {
		return 0, false
	}
	d, _ := digits(part[0], 1, 2) // 0, which no date has, if it is no number
	mo := month(part[1])
	y, _ := digits(part[2], 4, 4)
	clock, ok := parseClock(part[3])
	t := cdx.Timestamp(((y*100+mo)*100+d)*1_000_000 + clock)
	return t, ok && t.Valid()
}

// parseClock reads hh:mm:ss as the number hhmmss. It does not check the range.
func parseClock(s string) (uint64, bool) {
	if len(s) != 8 || s[2] != ':' || s[5] != ':' {
		return 0, false
	}
	h, ok1 := digits(s[:2], 2, 2)
	m, ok2 := digits(s[3:5], 2, 2)
	sec, ok3 := digits(s[6:], 2, 2)
	return (h*100+m)*100 + sec, ok1 && ok2 && ok3
}

// digits reads a number of minLen to maxLen decimal digits.
func digits(s string, minLen, maxLen int) (uint64, bool) {
	if len(s) < minLen || len(s) > maxLen {
		return 0, false
	}
	n := uint64(0)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + uint64(s[i]-'0')
	}
	return n, true
}

const (
	weekdayNames = "SunMonTueWedThuFriSat"
	monthNames   = "JanFebMarAprMayJunJulAugSepOctNovDec"
)

func isWeekday(s string) bool { return ordinal(weekdayNames, s) > 0 }

func month(s string) uint64 { return ordinal(monthNames, s) }

// ordinal returns which of names, which consists of three-letter names, s is: 1 for the first, 0 for none. It ignores case.
func ordinal(names, s string) uint64 {
	for i := 0; i < len(names); i += 3 {
		if strings.EqualFold(names[i:i+3], s) {
			return uint64(i/3 + 1)
		}
	}
	return 0
}

func isGMT(s string) bool {
	switch strings.ToUpper(s) {
	case "GMT", "UTC", "UT", "Z", "+0000", "-0000":
		return true
	}
	return false
}

// FormatDatetime returns t as an rfc1123-date: the form of Memento-Datetime (RFC 7089 §2.1.1) and of the datetime,
// from and until attributes of links (§2.2.4). t must be valid.
func FormatDatetime(t cdx.Timestamp) string {
	return string(AppendDatetime(make([]byte, 0, 29), t))
}

// AppendDatetime appends what [FormatDatetime] returns.
func AppendDatetime(b []byte, t cdx.Timestamp) []byte {
	var d [14]byte
	t.Append(d[:0])
	y, mo, day := uint64(t)/1e10, uint64(t)/1e8%100, uint64(t)/1e6%100
	if mo < 1 || mo > 12 { // invalid: write the digits rather than panic
		return append(b, d[:]...)
	}
	w := 3 * weekday(int(y), int(mo), int(day))
	b = append(b, weekdayNames[w:w+3]...)
	b = append(b, ',', ' ', d[6], d[7], ' ')
	b = append(b, monthNames[3*mo-3:3*mo]...)
	b = append(b, ' ', d[0], d[1], d[2], d[3], ' ', d[8], d[9], ':', d[10], d[11], ':', d[12], d[13])
	return append(b, " GMT"...)
}

// weekday returns 0 for a Sunday, by Sakamoto's method: years begin in March, so that a leap day comes last. A
// TimeMap needs it for each memento, and time.Time would be its largest cost.
func weekday(y, mo, d int) int {
	monthShift := [12]int{0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4}
	if mo < 3 {
		y--
	}
	return (y + y/4 - y/100 + y/400 + monthShift[mo-1] + d) % 7
}

// appendISO appends t in RFC 3339 form, as in JSON TimeMaps.
func appendISO(b []byte, t cdx.Timestamp) []byte {
	var d [14]byte
	t.Append(d[:0])
	b = append(b, d[:4]...)
	b = append(b, '-', d[4], d[5], '-', d[6], d[7], 'T', d[8], d[9], ':', d[10], d[11], ':', d[12], d[13], 'Z')
	return b
}

// parseISO reads RFC 3339. Aggregators leave out the zone; it is then taken for UTC.
func parseISO(s string) (cdx.Timestamp, bool) {
	for _, form := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(form, s); err == nil {
			ts := cdx.FromTime(t)
			return ts, ts != 0
		}
	}
	return 0, false
}
