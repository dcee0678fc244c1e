package change

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

func TestNormal(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "": "", "don’t": "don't", "“so”": `"so"`, "«so»": `"so"`, "9–16": "9-16", "9—16": "9-16", "wait…": "wait...",
		"cafe\u0301": "café", "ｗｉｄｅ": "wide", "in\u00advisible": "invisible", "a\u200bb": "ab", "a\u2060b": "ab", "Größe": "Größe", "дом": "дом",
	} {
		if got := Normal(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What no reader takes for another word makes no version; another word does.
func TestWordsAreComparedInTheirNormalForm(t *testing.T) {
	page := func(s string) string {
		return "<title>The mill</title><h1>The mill</h1><p>" + s +
			" The old mill at the river has been closed since the great flood of that year."
	}
	for _, test := range []struct {
		name, before, after string
		want                int
	}{
		{"composed", "Le cafe\u0301 est ferme\u0301.", "Le café est fermé.", 1},
		{"quotes", `He said "no", and didn't.`, "He said “no”, and didn’t.", 1},
		{"a dash", "Open 9–16 now.", "Open 9-16 now.", 1},
		{"soft hyphens", "A riverbank.", "A river\u00adbank.", 1},
		{"a joiner", "A riverbank.", "A river\u2060bank.", 1},
		{"NUL", "A riverbank.", "A river\x00bank.", 1},
		{"another word in quotes", `He said "no".`, "He said “yes”.", 2},
		{"another composed word", "Le cafe\u0301 est ferme\u0301.", "Le café est ouvert.", 2},
	} {
		s := shelf{}
		if got := versionsOf(t, pagesOf(s, page(test.before), page(test.after)), s, nil); got != test.want {
			t.Errorf("%s: %d versions, want %d", test.name, got, test.want)
		}
	}
}

// A charset may be declared behind what browsers sniff.
func TestCharsetsAreDeclaredLate(t *testing.T) {
	const word = "девяти"
	encoded, err := charmap.Windows1251.NewEncoder().String(word)
	if err != nil {
		t.Fatal(err)
	}
	filler := "<script>" + strings.Repeat("/* <meta charset=koi8-r> */", 60) + "</script>"
	for _, meta := range []string{
		"<meta charset=windows-1251>", `<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1251">`,
	} {
		body := "<html><head>" + filler + meta + "</head><p>" + encoded
		text := new(Extractor).Extract([]byte(body), "text/html")
		if got := text.String(); got != word {
			t.Errorf("%s: %q", meta, got)
		}
	}
}

func TestNoContentIsAFailedCapture(t *testing.T) {
	page := "<title>The mill</title><p>The old mill at the river has been closed since the great flood of that year.</p>"
	for _, nothing := range []string{"", "\x00\x00\x00"} {
		s := shelf{}
		if got := versionsOf(t, pagesOf(s, page, nothing, page), s, nil); got != 1 {
			t.Errorf("%q between: %d versions", nothing, got)
		}
	}
}
