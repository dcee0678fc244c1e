package sketch

import "testing"

func TestPhraseSet(t *testing.T) {
	s := newPhraseSet([]string{"page", "pages not", "не найден", "存在しません", "a b c"})
	for text, want := range map[string]bool{
		"": false, "pag": false, "page": true, "the page": true, "pagf pagepage": true, "a b": false, "xa b c": true, "a b cx": true,
		"ничего не найдено": true, "не найде": false, "存在しません": true, "存在しませ": false, "\x00\x00\x00\x00": false,
	} {
		if s.in(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// It must find what looking for one phrase after the other finds.
func FuzzPhraseSet(f *testing.F) {
	all := linesOf(wallText)
	for i, p := range all {
		f.Add("before "+p[:i%len(p)+1]+" behind", i)
	}
	f.Fuzz(func(t *testing.T, text string, i int) {
		some := all[uint(i)%uint(len(all)):]
		if got, want := newPhraseSet(some).in(text), containsAny(text, some); got != want {
			t.Errorf("%q: %v, looked for one by one %v", text, got, want)
		}
	})
}
