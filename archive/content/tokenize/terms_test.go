package tokenize

import (
	"slices"
	"strings"
	"testing"
)

// terms returns the words of a text as they are compared.
func terms(text string) (out []string) {
	Terms(text, func(w Term) bool {
		out = append(out, string(w.Norm))
		return true
	})
	return out
}

// What a word is in different scripts (UAX #29), and in which form it is compared.
func TestTerms(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		" \t\n – … !":                "",
		"One two":                    "one|two",
		"a-b a_b __ _1 a__b":         "a|b|a_b|_1|a__b",
		"can't 'quoted' it's. end.":  "can't|quoted|it's|end",
		"a.b a..b a. .b a:b a::b":    "a.b|a|b|a|b|a:b|a|b",
		"1.5 1,500.25 1;2 1:2 1. ,2": "1.5|1,500.25|1;2|1|2|1|2",
		"a,b a;b 1a.b a1.2b a.1 1.a": "a|b|a|b|1a.b|a1.2b|a|1|1|a",
		"v2.0 x64 2nd":               "v2.0|x64|2nd",
		"Über ÉTÉ l’été Straße ΣΊΣΥΦΟΣ":            "über|été|l'été|straße|σίσυφοσ",
		"cafe\u0301 und café":                      "café|und|café",
		"Річка об’єкт ПІДНЯЛАСЯ":                   "річка|об'єкт|піднялася",
		"don't don’t don‘t donʼt don＇t":            "don't|don't|don't|don't|don't",
		"河水上涨 2016年":                               "河|水|上|涨|2016|年",
		"かな カタカナ カタ_カナ ー":                          "か|な|カタカナ|カタ_カナ|ー",
		"한국어 문서":                                   "한국어|문서",
		"رودخانه ۱۲۳ بالا":                         "رودخانه|۱۲۳|بالا",
		"สวัสดี":                                   "ส|วั|ส|ดี", // no dictionary: letters with their marks
		"\U0001F469\u200d\U0001F52C smile":         "smile",
		"naïve，word；next：one 1，2":                  "naïve|word|next：one|1，2",
		"a\u00adb \u00ad Ab\u200ec a\u2060b\ufeff": "ab|abc|ab",
		"x\u200dy می\u200cخواهد":                   "x\u200dy|می\u200cخواهد", // joiners show in the letters beside them
		strings.Repeat("long", 50) + " short":      strings.Repeat("long", 50) + "|short",
	} {
		if got := strings.Join(terms(text), "|"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Places are in bytes of the text, whatever the script.
func TestTermsSayWhereTheyStand(t *testing.T) {
	for _, text := range []string{"one two, three", "Über die Straße", "河水 and 한국어", "x ไทย y", "é 1,5 🙂 z"} {
		at := 0
		Terms(text, func(w Term) bool {
			if w.Start < at || w.End <= w.Start || w.End > len(text) || string(new(Normalizer).Norm(text[w.Start:w.End])) != string(w.Norm) {
				t.Errorf("%q: %q at %d to %d", text, w.Norm, w.Start, w.End)
			}
			at = w.End
			return true
		})
	}
	seen := 0
	Terms("one two three", func(Term) bool {
		seen++
		return seen < 2
	})
	if seen != 2 {
		t.Errorf("%d words after the end was asked for", seen)
	}
}

// Words that are compared as one have one hash; a word with digits and one without never share it by the lowest bit.
func TestHashes(t *testing.T) {
	var n Normalizer
	for _, same := range [][]string{
		{"Straße", "straße", "STRAßE"}, {"a", "A"}, {"z", "Z"}, {"café", "cafe\u0301", "CAFÉ"}, {"it's", "IT'S"}, {"@", "@"}, {"[", "["},
	} {
		for _, w := range same {
			if got, want := n.Hash(w), HashOf(string(n.Norm(same[0]))); got != want || got&1 != 0 {
				t.Errorf("%q: %x, want that of %q, %x", w, got, same[0], want)
			}
		}
	}
	if n.Hash("a") == n.Hash("b") || n.Hash("é") == n.Hash("e") {
		t.Error("two words share a hash")
	}
}

// A segmenter knows whether a text can have digits before it has read it, and says of each word whether it has.
func TestDigits(t *testing.T) {
	var s Segmenter
	for text, want := range map[string][]bool{
		"one two": {false, false}, "one 2": {false, true}, "x1": {true}, "eins zwölf": {false, false}, "zwölf 12": {false, true},
		"۱۲ ab": {true, false}, "ก ๑": {false, true}, "河 3": {false, true},
	} {
		s.Reset(text)
		var got []bool
		may := s.MayHaveDigits()
		for w, ok := s.Next(); ok; w, ok = s.Next() {
			got = append(got, w.Digits)
		}
		if !slices.Equal(got, want) || slices.Contains(want, true) && !may {
			t.Errorf("%q: %v, want %v; may have digits: %v", text, got, want, may)
		}
		if s.ASCII && may != strings.ContainsAny(text, "0123456789") {
			t.Errorf("%q: may have digits: %v", text, may)
		}
	}
	for w, want := range map[string][2]bool{
		"a": {true, false}, "1": {true, true}, "a1": {true, true}, "-": {}, "_": {}, "": {}, "é": {true, false}, "٣": {true, true},
	} {
		if word, digits := IsWord(w); word != want[0] || digits != want[1] {
			t.Errorf("%q: %v %v", w, word, digits)
		}
	}
}

func TestWhichCharactersAreInTheirForm(t *testing.T) {
	for s, want := range map[string]bool{
		"\u4000": true, "\u9fff": true, "\u3042": true, "\u30ff": true, "\ub000": true, "\ucfff": true,
		"\u303f": false, "\u3100": false, "\u3099": false, "\u309a": false, "\u3098": true, "\u3000": false, "\u1e00": false,
		"é": false, "a": false, "\xe4\xb8": false, "": false,
	} {
		if got := staysAsItIs(s); got != want {
			t.Errorf("%+q: %v", s, got)
		}
	}
	for s, want := range map[string]string{
		"É": "é", "é": "é", "Я": "я", "ß": "ß", "İ": "", "\u0301": "", "\xc3": "", "\u4e00": "", "\u0800": "",
	} {
		got := ""
		if low := lowerTwo(s); low != 0 {
			got = string([]byte{byte(low >> 8), byte(low)})
		}
		if got != want {
			t.Errorf("%+q: %+q, want %+q", s, got, want)
		}
	}
}
