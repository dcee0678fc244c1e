package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/internal/testkit/growth"
)

// pair is two texts to be compared.
type pair struct {
	a, b  *visible.Text
	words [2][]uint32
}

// Whatever the two texts have to do with each other, all that is done with them takes no more than its share of time. The
// search for the shortest diff can take the square of it, and is bounded by time instead: here that time is over.
func TestComparingGrowsWithTheTexts(t *testing.T) {
	each := func(n int, say func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(say(i))
		}
		return b.String()
	}
	for name, of := range map[string]func(n int) (a, b string){
		"the same": func(n int) (string, string) {
			s := each(n, func(i int) string { return fmt.Sprintf("<p>word %d here", i) })
			return s, s
		},
		"all different": func(n int) (string, string) {
			return each(n, func(i int) string {
				return fmt.Sprintf("<p>a%d b%d",
					i, i)
			}), each(n, func(i int) string { return fmt.Sprintf("<p>c%d d%d", i, i) })
		},
		"reversed": func(n int) (string, string) {
			return each(n, func(i int) string {
				return fmt.Sprintf("<p>block %d",
					i)
			}), each(n, func(i int) string { return fmt.Sprintf("<p>block %d", n-i) })
		},
		"one word over and over": func(n int) (string, string) {
			return strings.Repeat("x ", n), strings.Repeat("x ", n+n/3)
		},
		"two words in two orders": func(n int) (string, string) { return strings.Repeat("x y ", n), strings.Repeat("y x x ", n) },
		"many small blocks":       func(n int) (string, string) { return strings.Repeat("<p>x", n), strings.Repeat("<p>y<p>x", n) },
		"each block one word more": func(n int) (string, string) {
			return each(n, func(i int) string {
				return fmt.Sprintf("<p>the %d",
					i)
			}), each(n, func(i int) string { return fmt.Sprintf("<p>the new %d", i) })
		},
		"nothing and all": func(n int) (string, string) { return "", strings.Repeat("<p>a b c", n) },
		"one long word":   func(n int) (string, string) { return strings.Repeat("x", n), strings.Repeat("x", n) + "y" },
		"split up":        func(n int) (string, string) { return strings.Repeat("a b c ", n), strings.Repeat("<p>a b c", n) },
		"one block split into words": func(n int) (string, string) {
			return "<p>" + each(n, func(i int) string { return fmt.Sprintf("w%d ", i) }), each(n, func(i int) string {
				return fmt.Sprintf("<p>w%d",
					i)
			})
		},
		"a long block and blocks of its words": func(n int) (string, string) {
			return "<p>" + each(n, func(i int) string { return fmt.Sprintf("w%d ", i) }) + "<p>the end", "<p>the beginning" + each(n,
				func(i int) string {
					return fmt.Sprintf("<p>w%d a%d b%d c%d d%d e%d f%d g%d", i, i, i, i, i, i, i, i)
				})
		},
		"deep nesting": func(n int) (string, string) {
			return strings.Repeat("<div>x", n), strings.Repeat("<div>y<div>x", n)
		},
		"every second word": func(n int) (string, string) {
			return "<p>" + strings.Repeat("a b ", n), "<p>" + each(n, func(i int) string { return fmt.Sprintf("a c%d ", i) })
		},
		"letters in a word": func(n int) (string, string) { return strings.Repeat("ab", n), strings.Repeat("ba", n) },
	} {
		growth.Linear(t, name, func(n int) pair {
			a, b := of(n)
			p, ids := pair{a: textOf(a), b: textOf(b)}, map[string]uint32{}
			for i, t := range []*visible.Text{p.a, p.b} {
				for word := range strings.FieldsSeq(t.String()) {
					if _, ok := ids[word]; !ok {
						ids[word] = uint32(len(ids))
					}
					p.words[i] = append(p.words[i], ids[word])
				}
			}
			return p
		}, func(p pair) {
			Align(p.words[0], p.words[1])
			hurried := tokenDiff{codes: map[string]rune{}}
			diff := hurried.texts(p.a, p.b)
			Count(diff)
			Touching(stepsOf(p.a, p.b, diff), p.a, p.b, everyWord)
		})
	}
}

// A long block may share a word with each of many short ones.
func TestFindingMovedBlocksGrowsWithTheTexts(t *testing.T) {
	growth.Linear(t, "a long block and blocks of its words", func(n int) [2][]visible.Block {
		var long, short strings.Builder
		for i := range n {
			words := ""
			for j := range minMoved {
				words += fmt.Sprintf("w%dx%d ", i, j)
			}
			long.WriteString(words)
			short.WriteString("<p>" + words)
		}
		return [2][]visible.Block{textOf(long.String()).Blocks, textOf(short.String()).Blocks}
	}, func(texts [2][]visible.Block) {
		d := newTokenDiff()
		d.findEdited([]stretch{{gone: d.parts(texts[0])}, {come: d.parts(texts[1])}})
	})
}

// everyWord returns the place of each word of a text.
func everyWord(text string) (places [][2]int) {
	at := 0
	for word := range strings.FieldsSeq(text) {
		from := at + strings.Index(text[at:], word)
		at = from + len(word)
		places = append(places, [2]int{from, at})
	}
	return places
}
