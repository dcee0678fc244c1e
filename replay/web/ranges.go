package web

import (
	"strconv"
	"strings"
)

// A byteRange is one range of a body; last is inclusive.
type byteRange struct{ first, last int64 }

// parseRange reads a Range header of one range (RFC 9110 §14.2). ok is false where the header is to be ignored:
// another unit, several ranges, or no range at all. A range that begins behind the end has first < 0.
// A last position behind the end is cut to it. total is -1 where it isn't known, then only ranges with a first position are.
func parseRange(spec string, total int64) (b byteRange, ok bool) {
	set, ok := strings.CutPrefix(strings.TrimSpace(spec), "bytes=")
	if !ok || strings.Contains(set, ",") {
		return b, false
	}
	from, to, ok := strings.Cut(strings.TrimSpace(set), "-")
	if !ok {
		return b, false
	}
	first, err1 := strconv.ParseInt(from, 10, 64)
	last, err2 := strconv.ParseInt(to, 10, 64)
	switch {
	case from == "" && err2 == nil && last > 0 && total > 0: // the last bytes
		return byteRange{max(0, total-last), total - 1}, true
	case from == "" && err2 == nil:
		return byteRange{-1, -1}, true
	case err1 != nil || first < 0 || to != "" && (err2 != nil || last < first):
		return b, false
	case first >= total:
		return byteRange{-1, -1}, true
	case to == "" || last >= total:
		last = total - 1
	}
	return byteRange{first, last}, true
}
