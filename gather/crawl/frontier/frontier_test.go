package frontier

import "testing"

// When pages are all there, their parts are still asked for: so another limit counts more.
func TestTheStrictestLimitCounts(t *testing.T) {
	for _, c := range []struct {
		limits Limits
		totals Totals
		want   string
	}{
		{Limits{}, Totals{Pages: 9, Docs: 9, Bytes: 9}, ""},
		{Limits{Pages: 9}, Totals{Pages: 8}, ""},
		{Limits{Pages: 9}, Totals{Pages: 9}, MaxPages},
		{Limits{Pages: 9, Docs: 9}, Totals{Pages: 9, Docs: 9}, MaxDocs},
		{Limits{Pages: 9, Bytes: 9}, Totals{Pages: 9, Bytes: 10}, MaxBytes},
	} {
		if got := c.limits.Reached(c.totals); got != c.want {
			t.Errorf("%+v of %+v: %q, want %q", c.totals, c.limits, got, c.want)
		}
	}
}
