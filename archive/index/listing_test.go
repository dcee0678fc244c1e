package index

import (
	"slices"
	"testing"
)

func TestNamesArePacked(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{nil, {""}, {"com,example)/"}, {"com,example)/", "com,example)/a", "com,example)/b", "org,example)/"}} {
		var got []string
		err := eachName(timed(packNames(names)), func(name []byte, _ TimeSpan) { got = append(got, string(name)) })
		if err != nil || !slices.Equal(got, names) {
			t.Errorf("%q: %q, %v", names, got, err)
		}
	}
}

// timed returns a list of packed names with the datetimes 0 to 0.
func timed(names []byte) []byte {
	return append(append([]byte{timedList}, make([]byte, 16)...), names...)
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
		if err := eachName(timed(v), func([]byte, TimeSpan) {}); err != errListing {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestListsWithoutDatetimesAreRefused(t *testing.T) {
	t.Parallel()
	for _, v := range [][]byte{nil, {timedList}, packNames([]string{"com,example)/", "com,example)/with-a-longer-path"})} {
		if err := eachName(v, func([]byte, TimeSpan) {}); err != errListing {
			t.Errorf("%q: %v", v, err)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add(packNames([]string{"com,example)/", "com,example)/a", "org,example)/"}))
	f.Add([]byte{0, 1, 'a', 1, 0, 2, 0})
	f.Fuzz(func(t *testing.T, v []byte) {
		var names []string
		if eachName(timed(v), func(name []byte, _ TimeSpan) { names = append(names, string(name)) }) != nil {
			return
		}
		var again []string
		err := eachName(timed(packNames(names)), func(name []byte, _ TimeSpan) { again = append(again, string(name)) })
		if err != nil || !slices.Equal(names, again) {
			t.Errorf("%q, packed again: %q, %v", names, again, err)
		}
	})
}
