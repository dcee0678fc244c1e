package respond

import "testing"

// The ranges that are answered lie within the body, and there are not too many.
func FuzzParseRanges(f *testing.F) {
	for _, s := range []string{
		"bytes=0-", "bytes=-5", "bytes=1-2, 4-5", "bytes=5-1", "bytes=9223372036854775807-", "bytes=--1",
		"lines=1-2", "bytes=", "bytes=-0",
	} {
		f.Add(s, int64(10))
	}
	f.Fuzz(func(t *testing.T, header string, total int64) {
		if total < 0 {
			return
		}
		ranges, _ := parseRanges(header, total)
		if len(ranges) > maxRanges {
			t.Errorf("%d ranges", len(ranges))
		}
		for _, r := range ranges {
			if r.first < 0 || r.last < r.first || r.last >= total {
				t.Errorf("%q of %d bytes: %v", header, total, r)
			}
		}
	})
}
