package suggest_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search/suggest"
)

func TestFinish(t *testing.T) {
	w := &suggest.Source{Words: small(t)}
	for typed, want := range map[string]string{
		"fl":             "flow|floods|flood",
		"paper FLOO":     "paper floods|paper flood|paper flooding",
		`"river floo`:    `"river floods|"river flood|"river flooding`,
		"paper -floo":    "paper -floods|paper -flood|paper -flooding",
		"+floo":          "+floods|+flood|+flooding",
		"paper -(floo":   "paper -(floods|paper -(flood|paper -(flooding",
		"(paper OR floo": "(paper OR floods|(paper OR flood|(paper OR flooding",
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

// People type beginnings with letters wrong, words before them too, and other names of things.
func TestFinishWhatIsTypedWrongly(t *testing.T) {
	t.Parallel()
	own, err := suggest.ReadDictionary(strings.NewReader("# places\nalbert ludwig university 500\nfreibad 7\nFreiburger 3 # people\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := &suggest.Source{
		Words: vocabulary(t, map[string]int{
			"university": 40, "universe": 9, "freiburg": 30, "albert": 20, "ludwig": 5, "ludicrous": 2, "states": 3, "united": 4, "usable": 8,
		}),
		Own: own,
		Synonyms: func(words []string) [][]string {
			return map[string][][]string{"usa": {{"united", "states"}}}[strings.Join(words, " ")]
		},
	}
	for typed, want := range map[string]string{
		"unversi":           "university|universe",
		"freubu":            "freiburg",
		"freib":             "freiburg|freibad|freiburger",
		"ludw":              "ludwig|ludicrous",
		"albrt lud":         "albert ludwig university|albert ludwig|albert ludicrous",
		"albrt ":            "albert ludwig university|albert",
		`"albrt lud`:        `"albert ludwig university|"albert ludwig|"albert ludicrous`,
		"usa":               "united states|usable",
		"map of usa":        "map of united states|map of usable",
		"albret ludwig uni": "albert ludwig university|albert ludwig universe|albert ludwig united",
		"title:albrt lud":   "title:albert ludwig university|title:albert ludwig|title:albert ludicrous",
		"xx OR lud":         "xx OR ludwig|xx OR ludicrous",
		"albrt\u00a0lud":    "albert ludwig university|albert\u00a0ludwig|albert\u00a0ludicrous", // signs of several bytes between words
		"albrt\u3000lud":    "albert ludwig university|albert\u3000ludwig|albert\u3000ludicrous",
		"map…usa":           "map…united states",
	} {
		if got := strings.Join(s.Finish(typed, 3), "|"); got != want {
			t.Errorf("%q is finished as %q, want %q", typed, got, want)
		}
	}
}

func TestADictionaryIsRefusedWithItsLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"a 1\n!! 3\n": "line 2", "a -1": "line 1", "a 99999999999": "line 1"} {
		if _, err := suggest.ReadDictionary(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
