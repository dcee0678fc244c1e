package change

import (
	"strings"
	"time"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sergi/go-diff/diffmatchpatch"
)

// A tokenDiff compares sequences of strings. The library compares code points, so each distinct
// string is given one.
type tokenDiff struct {
	codes    map[string]rune
	deadline time.Time
}

const (
	// diffTime bounds the search for the shortest differences; past it they are still right.
	diffTime = time.Second
	// maxCode is the last code point; texts with more distinct words share it.
	maxCode        = 0x10ffff
	surrogateFirst = 0xd800
	surrogateCount = 0x800
)

func newTokenDiff() *tokenDiff {
	return &tokenDiff{codes: map[string]rune{}, deadline: time.Now().Add(diffTime)}
}

func (d *tokenDiff) late() bool { return time.Now().After(d.deadline) }

// A run is a number of tokens that have the same fate.
type run struct {
	op Op
	n  int
}

func (d *tokenDiff) runs(a, b []string) []run {
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = max(time.Until(d.deadline), time.Millisecond)
	diffs := dmp.DiffMainRunes(d.encode(a), d.encode(b), false)
	out := make([]run, 0, len(diffs))
	for _, part := range diffs {
		n := 0
		for range part.Text {
			n++
		}
		op := map[diffmatchpatch.Operation]Op{diffmatchpatch.DiffInsert: Inserted, diffmatchpatch.DiffDelete: Deleted}[part.Type]
		out = append(out, run{op, n})
	}
	return out
}

// encode skips the surrogates: they do not survive in a string.
func (d *tokenDiff) encode(tokens []string) []rune {
	codes := make([]rune, len(tokens))
	for i, t := range tokens {
		c, ok := d.codes[t]
		if !ok {
			c = rune(len(d.codes) + 1)
			if c >= surrogateFirst {
				c += surrogateCount
			}
			c = min(c, maxCode)
			d.codes[t] = c
		}
		codes[i] = c
	}
	return codes
}

// edits compares two blocks word by word. share is the part of the words of both that are equal, from
// 0 to 1.
func (d *tokenDiff) edits(a, b string) (edits []Edit, share float64) {
	x, y := tokens(a), tokens(b)
	equal := 0
	total := len(x) + len(y)
	space := "" // that a has behind the equal words, and b has not
	for _, r := range d.runs(keys(x), keys(y)) {
		switch r.op {
		case Equal:
			if space != "" {
				edits = append(edits, Edit{Deleted, space})
			}
			equal += 2 * r.n
			edits = append(edits, Edit{Equal, strings.Join(y[:r.n], "")})
			space = spaceLost(x[r.n-1], y[r.n-1])
			x, y = x[r.n:], y[r.n:]
		case Deleted:
			edits = append(edits, Edit{Deleted, space + strings.Join(x[:r.n], "")})
			x, space = x[r.n:], ""
		default:
			edits = append(edits, Edit{Inserted, strings.Join(y[:r.n], "")})
			y = y[r.n:]
		}
	}
	return edits, float64(equal) / float64(total)
}

// spaceLost returns the space that stood behind an equal word and does not any more, "" for none.
func spaceLost(x, y string) string {
	if strings.HasSuffix(x, " ") && !strings.HasSuffix(y, " ") {
		return " "
	}
	return ""
}

// tokens cuts a block into UAX #29 segments, a space being part of what stands before it.
func tokens(s string) []string {
	var out []string
	start := 0
	for it := words.FromString(s); it.Next(); {
		if it.Value() == " " || it.Start() == start {
			continue
		}
		out = append(out, s[start:it.Start()])
		start = it.Start()
	}
	return append(out, s[start:])
}

// keys are what of tokens is compared: a word at the end of a block equals one that a space follows.
func keys(tokens []string) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = strings.TrimSuffix(t, " ")
	}
	return out
}
