package inspect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/fields"
)

// rowsFrom reads rows written as "name:price name:price"; an empty price is none.
func rowsFrom(s string) (rows []fields.Row) {
	for i, word := range strings.Fields(s) {
		name, price, _ := strings.Cut(word, ":")
		r := fields.Row{Number: i + 1, Values: fields.Values{}}
		if name != "" {
			r.Values["name"] = []string{name}
		}
		if price != "" {
			r.Values["price"] = []string{price}
		}
		rows = append(rows, r)
	}
	return rows
}

func TestRowsOfTwoVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ before, after, want string }{
		{"a:1 b:2", "a:1 b:2", ""},
		{"a:1 b:2", "b:2 a:1", ""}, // their order is no change of theirs
		{"a:1 b:2", "a:1 b:3 c:4", "changed b 2 added c 3"},
		{"a:1 b:2 c:3", "c:3", "removed a 1 removed b 2"},
		{"", "a:1", "added a 1"},
		{"a:1 a:2", "a:1 a:3", "changed a (2) 2"},
		{"a:1", "a:", "changed a 1"},
		{":1 :2", ":1 :3", "removed 2 2 added 3 2"}, // without a key a row is what it says
	} {
		var got []string
		for _, c := range rowChanges(rowsFrom(tt.before), rowsFrom(tt.after), "name") {
			got = append(got, fmt.Sprintf("%s %s %d", c.Op, c.Key, c.Row))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q to %q: %q, want %q", tt.before, tt.after, got, tt.want)
		}
	}
}
