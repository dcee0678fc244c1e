package settings

import (
	"strings"
	"testing"
)

// What is added stands behind what was there, with its comments. What is no list of templates changes nothing.
func TestTemplatesAreAdded(t *testing.T) {
	const more = "fields:\n  - fields: [{name: c, css: d}]\n"
	for _, tt := range []struct {
		name, text, add string
		want            []string // in this order
		says            string
	}{
		{"to nothing", " \n", more, []string{"name: c"}, ""},
		{
			"to one", "# shops\nx: 1\nfields:\n  - fields: [{name: a, css: b}] # prices\n", more,
			[]string{"# shops", "name: a", "# prices", "name: c"},
			"",
		},
		{"to what has none", "x: 1\n", more, []string{"x: 1\n"}, "want templates under fields"},
		{"to what is no list", "fields: 1\n", more, []string{"fields: 1\n"}, "want templates under fields"},
		{"to a list", "- a\n", more, []string{"- a\n"}, "want templates under fields"},
		{"to a comment", "# a\n", more, []string{"# a\n"}, "want templates under fields"},
		{"nothing", "fields: []\n", "x: 1", []string{"fields: []\n"}, "want templates under fields"},
		{"what can't be read", "fields: []\n", "a: b: c", []string{"fields: []\n"}, "yaml"},
	} {
		got, err := addTemplates(tt.text, tt.add)
		if (err == nil) != (tt.says == "") || err != nil && (!strings.Contains(err.Error(), tt.says) || got != tt.text) {
			t.Errorf("%s: %v: %s", tt.name, err, got)
		}
		rest := got
		for _, part := range tt.want {
			_, behind, found := strings.Cut(rest, part)
			if rest = behind; !found {
				t.Errorf("%s: no %q in %q", tt.name, part, got)
			}
		}
	}
}
