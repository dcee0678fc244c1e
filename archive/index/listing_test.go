package index

import (
	"slices"
	"testing"
)

func TestNamesArePacked(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{nil, {""}, {"com,example)/"}, {"com,example)/", "com,example)/a", "com,example)/b", "org,example)/"}} {
		var got []string
		if err := eachName(packNames(names), func(name []byte) { got = append(got, string(name)) }); err != nil || !slices.Equal(got, names) {
			t.Errorf("%q: %q, %v", names, got, err)
		}
	}
}

func TestDamagedNamesAreRefused(t *testing.T) {
	t.Parallel()
	for name, v := range map[string][]byte{
		"shares more than there is": {1, 0},
		"longer than the list":      {0, 5, 'a'},
		"without a length":          {0},
		"a number cut short":        {0, 1, 'a', 0x80},
		"a length cut short":        {0, 0x80},
	} {
		if err := eachName(v, func([]byte) {}); err != errListing {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add(packNames([]string{"com,example)/", "com,example)/a", "org,example)/"}))
	f.Add([]byte{0, 1, 'a', 1, 0, 2, 0})
	f.Fuzz(func(t *testing.T, v []byte) {
		var names []string
		if eachName(v, func(name []byte) { names = append(names, string(name)) }) != nil {
			return
		}
		var again []string
		err := eachName(packNames(names), func(name []byte) { again = append(again, string(name)) })
		if err != nil || !slices.Equal(names, again) {
			t.Errorf("%q, packed again: %q, %v", names, again, err)
		}
	})
}
