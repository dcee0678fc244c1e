package search

import (
	"slices"
	"testing"
)

func TestWhatIsAskedOfAnAddress(t *testing.T) {
	for uriR, want := range map[string][]string{
		"http://www.river.org/acid-rain/report_2014.html": {"acid rain report", "report", "acid", "rain", "river"},
		"http://river.org/":                     {"river"},
		"http://river.org/*":                    {"river"},
		"http://www.epa.gov/acidrain/index.php": {"acidrain", "epa"},
		"http://river.co.uk/a/12/b?q=secret":    {"river"},
		"http://river.org/%D9%88%D8%A8":         {"river"},
		"http://10.0.0.1/x":                     nil,
		"http://river.org/%zz":                  nil,
		"http://river.org/aaa/bbb/ccc/ddd/eee/fff/ggg/hhh/": {
			"aaa bbb ccc ddd eee fff", "hhh", "aaa", "bbb", "ccc", "river",
		},
	} {
		if got := askable(uriR); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", uriR, got, want)
		}
	}
}
