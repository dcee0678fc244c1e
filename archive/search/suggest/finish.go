package suggest

import (
	"strings"
	"unicode"

	"github.com/varve-archive/varve/archive/search/query"
)

// Finish returns what somebody types with its last word completed in up to n ways, the most frequent word first. There
// are none behind white space or a sign, where no word is being typed.
func (w *Words) Finish(typed string, n int) []string {
	start := strings.LastIndexFunc(typed, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`":`, r) })
	last := strings.TrimPrefix(typed[start+1:], "-")
	words := query.Words(last)
	if len(words) != 1 || len([]rune(words[0])) != len([]rune(last)) {
		return nil
	}
	var out []string
	for _, c := range w.Complete(words[0], n) {
		out = append(out, typed[:len(typed)-len(last)]+c.Text)
	}
	return out
}
