package warc

import (
	"slices"
	"testing"
)

// Names of fields are in ASCII, in any case. To Unicode, the sign of the kelvin is a k as well.
func TestFieldsAreFoundByTheirNames(t *testing.T) {
	f := Fields{{"Host", "a"}, {"Link", "b"}, {"Lin\u212a", "c"}, {"link", "d"}, {"Links", "e"}}
	for name, want := range map[string][]string{
		"link": {"b", "d"}, "HOST": {"a"}, "links": {"e"}, "date": nil, "lin": nil, "": nil,
	} {
		first := ""
		if len(want) > 0 {
			first = want[0]
		}
		if got := f.All(name); !slices.Equal(got, want) || f.Get(name) != first || f.Has(name) != (len(want) > 0) {
			t.Errorf("%q: all %q, the first %q, has it: %t", name, got, f.Get(name), f.Has(name))
		}
	}
}
