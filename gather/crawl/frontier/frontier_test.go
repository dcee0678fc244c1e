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
		{Limits{Pages: 9, Docs: 9, Bytes: 9}, Totals{Pages: 8, Docs: 8, Bytes: 8}, ""},
		{Limits{Pages: 9}, Totals{Pages: 9}, MaxPages},
		{Limits{Pages: 9, Docs: 9}, Totals{Pages: 9, Docs: 9}, MaxDocs},
		{Limits{Pages: 9, Bytes: 9}, Totals{Pages: 9, Bytes: 9}, MaxBytes},
	} {
		if got := c.limits.Reached(c.totals); got != c.want {
			t.Errorf("%+v of %+v: %q, want %q", c.totals, c.limits, got, c.want)
		}
	}
}

func TestSettingsThatDiffer(t *testing.T) {
	was := []Setting{{"scope", "host"}, {"order", "breadth"}}
	for want, now := range map[string][]Setting{
		"": {{"order", "breadth"}, {"new", "host"}},
		"order: this crawl began with breadth and would go on with depth: leave it as it was, give the crawl another name, or begin anew " +
			"with --new": {{"scope", "host"}, {"order", "depth"}},
	} {
		got := ""
		if err := Differs(was, now); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%v: %s", now, got)
		}
	}
}
