package memento

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
)

// Foreign links and TimeMaps are read in time that grows no faster than they do, whatever they have more of.
func TestReadingGrowsWithTheLinks(t *testing.T) {
	for name, unit := range map[string]string{
		"links": "<a>; rel=memento; datetime=\"Sun, 01 Jan 2012 00:00:00 GMT\",\n", "links without a comma": "<a>;rel=a",
		"attributes": ";a=b", "the same attribute": ";rel=a",
		"names": ";a", "relations": " a", "quotes": "\"", "open links": "<", "commas": ",", "escapes": "\\\"", "white space": " ",
		"semicolons": ";", "equals signs": "=", "letters": "x",
	} {
		for begin, text := range map[string]string{"": "", " behind a link": "<a>; rel=\"", " in a link": "<a"} {
			growth.Linear(t, name+begin, func(n int) string { return text + strings.Repeat(unit, n) }, func(text string) {
				_, _ = ParseLinks(text)
				_, _ = ReadTimeMap(strings.NewReader(text))
			})
		}
	}
	for name, unit := range map[string]string{
		"mementos": "{\"datetime\":\"2012-01-01T00:00:00Z\",\"uri\":\"http://a/\"},",
		"nesting":  "[", "objects": "{\"a\":",
	} {
		growth.Linear(t, "JSON "+name, func(n int) string { return "{\"mementos\":{\"list\":[" + strings.Repeat(unit, n) }, func(text string) {
			_, _ = ReadTimeMap(strings.NewReader(text))
		})
	}
	for name, unit := range map[string]string{"digits": "1", "letters": "x", "white space": " ", "commas": ","} {
		growth.Linear(t, "datetime of "+name, func(n int) string { return "Sun, 01 Jan 2012" + strings.Repeat(unit, n) }, func(text string) {
			_, _ = ParseAcceptDatetime(text)
			ParseURIR(text)
		})
	}
	for name, unit := range map[string]string{"backslashes": "\\", "percent signs": "%", "quotes": "\"", "letters": "x"} {
		growth.Linear(t, "URI of "+name, func(n int) string { return "http://a.example/" + strings.Repeat(unit, n) }, func(uriR string) {
			appendJSONURI(nil, string(appendURIR(nil, uriR)))
			AppendURI(nil, uriR)
		})
	}
}
