package sketch

import (
	_ "embed"
	"strings"

	"github.com/varve-archive/varve/archive/content/visible"
)

// wallPhrases are what pages say, in lower case, that did not show their content: errors, bot checks, demands for scripts, redirects,
// and refusals. waitPhrases are what pages say that wait for a reader to log in, or for themselves to load; pages that show their content
// say it too, so it counts only if hardly anything else is said.
var wallPhrases, waitPhrases = newPhraseSet(linesOf(wallText)), newPhraseSet(linesOf(waitText))

//go:embed wall.txt
var wallText string

//go:embed wait.txt
var waitText string

// linesOf returns the lines of a list.
func linesOf(list string) []string { return strings.Split(strings.TrimSpace(list), "\n") }

const (
	// A wall has up to maxWall bytes of text besides furniture, one that only waits up to maxWait.
	maxWall = 1000
	maxWait = 300
)

// saysWall reports whether a short text says that it is not the page.
func saysWall(text string) bool {
	if len(text) > maxWall {
		return false
	}
	text = strings.ToLower(text)
	return wallPhrases.in(text) || len(text) <= maxWait && waitPhrases.in(text)
}

func containsAny(text string, phrases []string) bool {
	for _, p := range phrases {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// ownText returns up to maxWall bytes of the text that is not furniture, or more than maxWall if there is more.
func ownText(buf []byte, t *visible.Text) []byte {
	for i := range t.Blocks {
		if b := &t.Blocks[i]; !b.Region.Furniture() {
			if len(buf)+len(b.Text) > maxWall {
				return append(buf, make([]byte, maxWall+1)...)
			}
			buf = append(append(buf, b.Text...), '\n')
		}
	}
	return buf
}
