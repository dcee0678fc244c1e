package warc

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx"
)

// parseDate reads a WARC-Date (ISO 28500 §5.4, W3C-DTF): cut after any of its parts, with a fraction of a second,
// with an offset from UTC; and the 12 to 14 digits that some writers put there and ARC files have.
func parseDate(s string) (cdx.Timestamp, error) {
	if digits := leadingDigits(s); len(digits) == len(s) {
		ts, err := cdx.ParseTimestamp(s)
		if err != nil {
			err = fmt.Errorf("no such date %.40q", s)
		}
		return ts, err
	}
	var packed [14]byte
	rest, n := s, 0
	for _, width := range [...]int{4, 2, 2, 2, 2, 2} {
		d := leadingDigits(rest)
		if len(d) == 0 || len(d) > width || width == 4 && len(d) < 4 {
			return 0, fmt.Errorf("no such date %.40q", s)
		}
		n += copy(packed[n:], "0"[:width-len(d)])
		n += copy(packed[n:], d)
		rest = rest[len(d):]
		if rest == "" || !strings.ContainsRune("-T: t", rune(rest[0])) {
			break
		}
		if n > 8 && rest[0] == '-' { // an offset, not a part
			break
		}
		rest = rest[1:]
	}
	if n == 14 && packed[12] == '6' && packed[13] == '0' { // a leap second, which Timestamp doesn't have
		packed[12], packed[13] = '5', '9'
	}
	ts, err := cdx.ParseTimestamp(string(packed[:n]))
	if err != nil {
		return 0, fmt.Errorf("no such date %.40q", s)
	}
	return shift(ts, strings.TrimLeft(rest, ".,0123456789"))
}

// shift moves a local time to UTC, given the zone it was written with. What is no offset counts as UTC.
func shift(ts cdx.Timestamp, zone string) (cdx.Timestamp, error) {
	if len(zone) < 3 || zone[0] != '+' && zone[0] != '-' {
		return ts, nil
	}
	hours, err := strconv.Atoi(zone[:3])
	if err != nil {
		return ts, nil
	}
	minutes, err := strconv.Atoi(strings.TrimPrefix(zone[3:], ":"))
	if err != nil {
		minutes = 0
	}
	if zone[0] == '-' {
		minutes = -minutes
	}
	t := ts.Time().Add(-time.Duration(hours)*time.Hour - time.Duration(minutes)*time.Minute)
	return cdx.FromTime(t), nil
}

func leadingDigits(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i]
}
