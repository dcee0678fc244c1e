package plainname_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/plainname"
)

func TestNamesAreFoldersAndPartsOfAddresses(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a": true, "0": true, "news-2016": true, "a.b_c-d": true, "a..": true, "z9": true,
		"": false, ".": false, "..": false, "-a": false, "_a": false, "A": false, "aB": false, "a/b": false, "a b": false, "a\n": false,
		"ä": false, "a:b": false, "a`": false, "a{": false,
	} {
		if got := plainname.Is(name); got != want {
			t.Errorf("Is(%q) = %v, want %v", name, got, want)
		}
	}
	for n, want := range map[int]bool{0: false, 1: true, plainname.Longest: true, plainname.Longest + 1: false} {
		if got := plainname.IsShort(strings.Repeat("a", n)); got != want {
			t.Errorf("a name of %d bytes: %v, want %v", n, got, want)
		}
	}
}
