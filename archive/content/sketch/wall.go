package sketch

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/content/visible"
)

// wallPhrases, in lower case, occur on pages that did not show their content: errors, bot checks, demands for scripts, redirects, and
// refusals. waitPhrases occur on pages that wait for a login or for themselves to load, but also on pages that show their content, so they
// only count if there is hardly any other text.
var wallPhrases, waitPhrases = newPhraseSet(linesOf(wallText)), newPhraseSet(linesOf(waitText))

//go:embed wall.txt
var wallText string

//go:embed wait.txt
var waitText string

func linesOf(list string) []string { return strings.Split(strings.TrimSpace(list), "\n") }

const (
	// maxWall bounds a wall's bytes of text besides furniture; maxWait bounds it for pages that only wait.
	maxWall = 1000
	maxWait = 300
)

// saysWall reports whether a short text is a wall.
func saysWall(text string) bool {
	if len(text) > maxWall {
		return false
	}
	text = strings.ToLower(text)
	return wallPhrases.in(text) || len(text) <= maxWait && waitPhrases.in(text)
}

func containsAny(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(text, p) })
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
