package tokenize

import (
	"strings"
	"testing"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/google/go-cmp/cmp"
)

// sameWords compares the words of a Segmenter with those of the library.
func sameWords(t *testing.T, s *Segmenter, text string) {
	t.Helper()
	type found struct {
		Word   string
		Digits bool
	}
	var want, got []found
	for it := words.FromString(text); it.Next(); {
		if word, digits := IsWord(it.Value()); word {
			want = append(want, found{it.Value(), digits})
		}
	}
	s.Reset(text)
	for {
		w, ok := s.Next()
		if !ok {
			break
		}
		got = append(got, found{text[w.Start:w.End], w.Digits})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q: %s", text, diff)
	}
}

func FuzzWordsAreTheLibrarys(f *testing.F) {
	for _, s := range []string{
		"a.b c:d 1,2;3 e_f __ '' a'b 'a' a..b 1.a a.1 1_2,3 x:1", "\r\n a", "a\x00b", "Der Fluß fließt – 3,5 km/h.", "l’été d’Élise",
		"Гостинец об’єкт 5 жовтня",
		"\u6cb3\u6d41\uff0c\u5728 2016 \u5e74\u3002", "\u30c6\u30ad\u30b9\u30c8_\u3068a\u30fcb", "\ud55c\uad6d\uc5b4 \ubb38\uc11c",
		"cafe\u0301 \u0301a e\u0301", "שלום'ם \"ש\"", "مَرحبا ١٢٣", "a\u00adb \u200d c", "\xff\xc3 a\xe4",
		"\U0001f469\u200d\U0001f52c \U0001f1e9\U0001f1ea\U0001f1eb", "a\u3000b \u2003 c",
	} {
		f.Add(s)
	}
	s := new(Segmenter)
	f.Fuzz(func(t *testing.T, text string) { sameWords(t, s, strings.ToValidUTF8(text, "\ufffd")) })
}

// Each character is tried beside those of other classes.
func TestWordsOfEachCharacterAreTheLibrarys(t *testing.T) {
	patterns := strings.NewReplacer("K", "\u30ab", "I", "\u4e00", "E", "é", "D", "\u0661", "Q", "\u2019", "C", "\uff0c").Replace(
		"X aX Xa aXa 1X X1 1X1 _X X_ KX XK KXK IX XI EX XE EXE DX XD DXD X.X X,X X:X X'X XQX XCX ,X X' X\"X XX a.X 1,X XaX1X_X X.a X,1 _X_")
	s := new(Segmenter)
	for r := rune(0x80); r < 0x10000 && !t.Failed(); r++ {
		if r >= 0xd800 && r <= 0xdfff {
			continue
		}
		if class, _ := simpleClass(string(r)); class&tough == 0 && (r < 0x4e10 || r > 0x9ff0) && (r < 0xac10 || r > 0xd7a0) {
			sameWords(t, s, strings.ReplaceAll(patterns, "X", string(r)))
		}
	}
}
