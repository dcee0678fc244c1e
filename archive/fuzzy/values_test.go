package fuzzy

import (
	"strings"
	"testing"
)

// What a value can be, up to its shortest and longest.
func TestWhatValuesCanBe(t *testing.T) {
	a := func(n int) string { return strings.Repeat("a", n) }
	for _, tt := range []struct {
		what    string
		is      func(string) bool
		yes, no []string
	}{
		{
			"a clock", isClock,
			[]string{"1234567890", "1234567890123456"},
			[]string{"", "123456789", "12345678901234567", "2234567890", "12345678x0"},
		},
		{"a clock in milliseconds", isMilliclock, []string{"1234567890123"}, []string{"123456789012", "2234567890123"}},
		{"a session", isToken, []string{a(16), a(14) + "_-"}, []string{a(15), a(16) + "."}},
		{"a part", isPart, []string{"5", "5-7", "0.5,1:2"}, []string{"", "-5", "5x"}},
		{"random", isRandom, []string{"123456", a(8), a(6) + "/="}, []string{"12345", a(7), a(7) + "!"}},
		{"replaced", mayReplace, []string{"x", "A_b-9", a(64)}, []string{"", "a b", "a'", a(65)}},
		{"a number", isNumber, []string{"0", "10", "7"}, []string{"07", "1.5", "x"}},
		{
			"part of a word", func(s string) bool { return partOfWord(s[0]) }, strings.Split("azAZ09_-", ""), strings.Split("`{@[/: .é", ""),
		},
	} {
		for i, value := range append(tt.yes, tt.no...) {
			if got := tt.is(value); got != (i < len(tt.yes)) {
				t.Errorf("%q can be %s: %v", value, tt.what, got)
			}
		}
	}
}
