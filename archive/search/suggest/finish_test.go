package suggest_test

import (
	"strings"
	"testing"
)

func TestFinish(t *testing.T) {
	w := small(t)
	for typed, want := range map[string]string{
		"fl":             "flow|floods|flood",
		"paper FLOO":     "paper floods|paper flood|paper flooding",
		`"river floo`:    `"river floods|"river flood|"river flooding`,
		"paper -floo":    "paper -floods|paper -flood|paper -flooding",
		"title:floo":     "title:floods|title:flood|title:flooding",
		"flood ":         "",
		"floo*":          "",
		"":               "",
		"well-flo":       "", // two words, of which the collection may not have the second behind the first
		"рівень пов":     "рівень повінь|рівень повені",
		"nothing of xyz": "",
	} {
		if got := strings.Join(w.Finish(typed, 3), "|"); got != want {
			t.Errorf("%q is finished as %q, want %q", typed, got, want)
		}
	}
}
