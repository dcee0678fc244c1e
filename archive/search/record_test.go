package search

import (
	"testing"
)

func TestDocumentIDs(t *testing.T) {
	t.Parallel()
	const key = "org,example:8080)/a?b=c"
	for id, want := range map[string]docName{
		pageDocID(key, 7):          {key, 7, true},
		partDocID(key, 1<<63|5, 3): {key, 1<<63 | 5, false},
	} {
		if got, ok := parseDocID(id); !ok || got != want {
			t.Errorf("%q: %+v, %v", id, got, ok)
		}
	}
	whole := pageDocID(key, 7)
	for _, id := range []string{"", "p", "x" + whole[1:], whole[:len(whole)-1], "p\x00" + whole[len(whole)-8:]} {
		if got, ok := parseDocID(id); ok {
			t.Errorf("%q: %+v", id, got)
		}
	}
}
