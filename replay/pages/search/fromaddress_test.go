package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
)

// An address may be a megabyte long, and all of it words.
func TestWhatIsAskedGrowsWithTheAddress(t *testing.T) {
	for name, between := range map[string]string{"words": "-", "folders": "/", "folders of dots": "/../"} {
		address := func(n int) string {
			var b strings.Builder
			b.WriteString("http://river.org/")
			for i := range n {
				b.WriteString(strings.Map(func(digit rune) rune { return 'a' + digit - '0' }, fmt.Sprintf("%06d", i)) + between)
			}
			return b.String()
		}
		growth.Linear(t, name, address, func(uriR string) { askable(uriR) })
	}
}

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
