package change

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// Two wordings of a paragraph are versions, once each; a short block that comes and goes is none.
func TestWordingsThatTakeTurns(t *testing.T) {
	t.Parallel()
	page := func(paragraph string) string {
		return "<title>Rules</title><main><h1>Rules</h1><p class=term>" + paragraph + "</p><p>" +
			strings.Repeat("All boats leave the harbour by noon and return before the tide. ", 40) + "</main>"
	}
	long := map[rune]string{
		'A': page(strings.Repeat("The keeper answers every letter within fourteen days. ", 5)),
		'B': page(strings.Repeat("Nobody has any claim to an answer by the harbour office. ", 5)),
		'C': page(strings.Repeat("Letters are read aloud on the first Monday of the month. ", 5)),
		'-': page("No reader saw this."), 'a': page("Notice one of the day."), 'b': page("Another line of news."),
	}
	for life, want := range map[string]int{
		"AB": 2, "ABA": 3, "ABABA": 2, "ABABABAB": 2, "ABABAC": 3, "BABAB": 2, "A-B-ABA": 2, "ababa": 1, "AAAA": 1,
	} {
		s := shelf{}
		var pages []string
		for _, r := range life {
			pages = append(pages, long[r])
		}
		states := datedPages(s, pages...)
		for i, r := range life {
			states[i].Failed = r == '-'
		}
		got, err := Ranges(LevelContent, states, s, nil)
		if err != nil || len(got) != want {
			t.Errorf("%s: %d versions, want %d (%v)", life, len(got), want, err)
			continue
		}
		for i, r := range got {
			if alternates := len(life) > 3 && i == 1; r.Alternates != alternates {
				t.Errorf("%s: version %d alternates: %t", life, i, r.Alternates)
			}
		}
	}
}

// datedPages are states of pages, a second after each other.
func datedPages(s shelf, pages ...string) []State {
	states := pagesOf(s, pages...)
	for i := range states {
		states[i].Time = cdx.Timestamp(20200101000000 + i)
	}
	return states
}
