package cdx

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/growth"
)

// A filter reads each line in time that grows no faster than the line, whatever its regular expression.
func TestFiltersGrowWithTheLines(t *testing.T) {
	for name, expr := range map[string]string{
		"repeated repetitions": `(a+)+$`, "alternatives of the same": `(a|a|aa)*b`, "anything, often": `.*.*.*.*.*x`,
		"counted": `(a{1,30}){1,30}b`, "nested": strings.Repeat("(", 40) + "a" + strings.Repeat(")*", 40), "optional": strings.Repeat("a?", 90) +
			strings.Repeat("a", 90), "a class": `[^b]*b`, "words": `(\w+\s*)*z`, "the longest": strings.Repeat("a", maxFilter-1) + "*",
	} {
		for _, not := range []string{"", "!", "~"} {
			f, err := parseFilter(not + "original:" + expr)
			if err != nil {
				t.Fatal(err)
			}
			growth.Linear(t, not+name, func(n int) *Capture { return &Capture{URL: "http://a.example/" + strings.Repeat("a", n)} },
				func(c *Capture) { f.keeps(&row{Capture: c}, nil) })
		}
	}
}

// A query is read in time that grows no faster than it, whatever it has more of.
func TestQueriesGrowWithTheirParameters(t *testing.T) {
	for name, unit := range map[string]string{
		"filters": "filter=original:a.b&", "fields": "fl=original&", "plus signs": "+", "escapes": "%2F",
		"ampersands": "&", "a URL": "url=a.example/b&",
		"collapses": "collapse=timestamp:4&", "commas": ",", "repetitions": "filter=original:(a*)*&",
	} {
		growth.Linear(t, name, func(n int) string { return "url=a.example&fl=" + strings.Repeat(unit, n) }, func(q string) {
			_, _ = ParseQuery(q)
		})
	}
}
