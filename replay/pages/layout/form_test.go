package layout

import "testing"

func TestSentence(t *testing.T) {
	for say, want := range map[string]string{
		"": "", "a": "A.", "no such page": "No such page.", "why not?": "Why not?", "закрыто автором": "Закрыто автором.",
		"این صفحه بسته است": "این صفحه بسته است.", "此页已关闭。": "此页已关闭。",
	} {
		if got := Sentence(say); got != want {
			t.Errorf("%q: %q", say, got)
		}
	}
}
