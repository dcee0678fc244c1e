package visible

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

func TestInvisibleCharacters(t *testing.T) {
	for r, want := range map[rune]bool{
		0xac: false, 0xad: true, 0xae: false, 0x200a: false, 0x200b: true, 0x200f: true, 0x2010: false, 0x2029: false, 0x202a: true,
		0x202e: true, 0x202f: false, 0x205f: false, 0x2060: true, 0x2069: true, 0x206a: false, 0xfefe: false, 0xfeff: true, 'a': false,
		0xe000: true, 0xf8ff: true, 0xf900: false, 0xd7fb: false,
	} {
		if got := withoutInvisible("x"+string(r)+"y") == "xy"; got != want {
			t.Errorf("%U: invisible %t", r, got)
		}
	}
}

// Persian is spelled with joiners, and some emoji are several that are joined. Joiners at the beginning of a word join nothing.
func TestJoinersAreSeen(t *testing.T) {
	for in, want := range map[string]string{
		"می\u200cروم": "می\u200cروم", "क्\u200dष": "क्\u200dष", "👩\u200d👧 x": "👩\u200d👧 x", "a\u00adb\u200cc\u200bd": "ab\u200ccd",
		"\uf0c1 \u200b\ue000":            "\uf0c1 \ue000", // icons too
		"\u200ca \u200db c\u200d\u200dd": "a b c\u200dd",
	} {
		if got := Visible(in); got != want {
			t.Errorf("%+q: %+q, want %+q", in, got, want)
		}
		if Normal(in) != Normal(want) || strings.ContainsAny(Normal(in), "\u200c\u200d") {
			t.Errorf("%+q: its normal form is %+q", in, Normal(in))
		}
	}
}

func TestNormal(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "": "", "don’t": "don't", "“so”": `"so"`, "«so»": `"so"`, "9–16": "9-16", "9—16": "9-16", "wait…": "wait...",
		"cafe\u0301": "café", "ｗｉｄｅ": "wide", "in\u00advisible": "invisible", "a\u200bb": "ab", "a\u2060b": "ab", "Größe": "Größe", "дом": "дом",
		"eﬃcient ﬁnds": "efficient finds", "Rules\uf0c1": "Rules", "\ue000 \uf8ff \uf900": "  \u8c48",
	} {
		if got := Normal(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What was decoded twice is mended. Letters that end a word before a quotation mark, or in capitals, are their own.
func TestNormalOfWhatWasDecodedTwice(t *testing.T) {
	for _, text := range []string{
		"Café für müde Gäste", "Größe, Österreich, Ähnliches", "à la carte, voilà", "Dvořák žije", "łódź ćma",
		"Мельница у реки", "тут гудит", "мы хотим пить", "don't", "20 €", "5 °C", "© 2020", "naïve – so", "😀 so", "20\u00a0crowns",
	} {
		broken := strings.Builder{}
		for _, b := range []byte(text) {
			broken.WriteRune(charmap.Windows1252.DecodeByte(b))
		}
		seen := strings.Join(strings.Fields(broken.String()), " ")
		if got, want := Normal(seen), Normal(strings.Join(strings.Fields(text), " ")); got != want {
			t.Errorf("%q: %q, want %q", seen, got, want)
		}
	}
	for _, text := range []string{
		"“MAÇÃ” e IRMÃ, MANHÃ", "NÃO", "“PÅ” gatan", "“CAFÉ”", "„Ä“", "château â la", "ROMÂNIA", "Ð", "MAÇÃ e PÃO", "ð Ñ", "Å", "ESPAÑA – así",
	} {
		if got, want := Normal(text), norm.NFC.String(alike.Replace(text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Normal looks first whether a text has a character to replace, which must not miss any.
func TestNormalOfEveryCharacter(t *testing.T) {
	for r := range rune(utf8.MaxRune + 1) {
		s := string(r)
		if s == "Ã" || s == "Â" { // of what was decoded twice
			continue
		}
		if got, want := Normal(s), norm.NFC.String(width.Fold.String(alike.Replace(withoutInvisible(s)))); got != want {
			t.Errorf("%U: %q, want %q", r, got, want)
		}
	}
}

func TestSigns(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "plain, 9-16 - e-mail!": "", "a -5 and +€5": "-+€", "-5": "-", "✓ 5%": "✓%", "- 5 • + x": "",
		"a > b, x<5 y >  2": "<", "a\xff": "", "↑ up ↓ down → on ● bullet ▲▼◆": "↑↓▲▼", "☀ sun 🙂 smile": "☀🙂", "字 \u0251 \uac00": "",
		"½ Ⅷ ∞ 3 × 4 → ₿": "½Ⅷ∞×₿", "∀ x ✀ 🀀 ← ■": "∀🀀",
	} {
		if got := Signs(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
