package change

import "testing"

// Eight bytes at a time or one: words with single spaces between them must end in the same place.
func FuzzWordsLen(f *testing.F) {
	for _, s := range []string{
		"a", "one two three four", "one two  three", "sixteen bytes ab\ncd", "seven b  ", "1234567 1234567 \t",
		"caf\u00e9 au\u00a0lait, s'il te pla\u00eet",
		"\u4e2d\u6587\u3000\u6587\u5b57", "\u043f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440 \u2003", "a\x01b\x7fc d e f g h i j",
		"a\u2019s \u201cquoted\u201d word \u2026", "abcdefg  h", "abcdefg h",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		want := 1
		for want < len(b) && (!spaceStart[b[want]] || singleSpace(b[want:])) {
			want++
		}
		if got := wordsLen(b); got != want {
			t.Errorf("the words of %q end at %d, want %d", b, got, want)
		}
	})
}
