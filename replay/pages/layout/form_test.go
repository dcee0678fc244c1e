package layout

import "testing"

func TestSentence(t *testing.T) {
	for say, want := range map[string]string{"": "", "a": "A.", "no such page": "No such page."} {
		if got := Sentence(say); got != want {
			t.Errorf("%q: %q", say, got)
		}
	}
}
