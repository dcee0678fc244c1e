package tokenize

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The short cuts for common scripts must agree with the Unicode tables, wherever a character stands.
func TestShortCutsInWordsAgreeWithTheTables(t *testing.T) {
	var n Normalizer
	for r := rune(1); r < 0x20000; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, context := range [][2]string{{"", ""}, {"e", ""}, {"Ё", "ў"}, {"か", "\u3099"}, {"가", "\u11a8"}, {"A", "\u0301"}} {
			w := context[0] + string(r) + context[1]
			if got, want := string(n.Norm(w)), string(appendLower(nil, norm.NFC.String(w))); got != want {
				t.Fatalf("norm(%+q) = %+q, want %+q", w, got, want)
			}
		}
		if word, digits := IsWord(string(r)); word != (unicode.IsLetter(r) || unicode.IsDigit(r)) || digits != unicode.IsDigit(r) {
			t.Fatalf("isWord(%+q) = %v, %v", r, word, digits)
		}
	}
}
