package suggest

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/search/query"
)

// maxOwn bounds the lines of a dictionary.
const maxOwn = 1 << 20

// ReadDictionary reads a file with a word or wording on each line, followed by its weight as a whole number, which counts like that many
// documents with the word. The default is 1. # begins a comment.
//
//	albert ludwig university 500
//	freiburg 90
func ReadDictionary(r io.Reader) (*Words, error) {
	weights := map[string]int{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		typed := strings.Fields(line)
		if len(typed) == 0 {
			continue
		}
		weight := 1
		if given, err := strconv.Atoi(typed[len(typed)-1]); err == nil && len(typed) > 1 {
			typed, weight = typed[:len(typed)-1], given
		}
		wording := strings.Join(query.Words(strings.Join(typed, " ")), " ")
		switch {
		case wording == "" || len(wording) > maxLength:
			return nil, fmt.Errorf("line %d: want a word or some words, of at most %d bytes", n, maxLength)
		case weight < 1 || weight > 1<<30:
			return nil, fmt.Errorf("line %d: the weight %d is not from 1 to %d", n, weight, 1<<30)
		case len(weights) == maxOwn:
			return nil, fmt.Errorf("line %d: there are more than %d lines", n, maxOwn)
		}
		weights[wording] = max(weights[wording], weight)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return New(func(yield func(Word, error) bool) {
		for _, text := range slices.Sorted(maps.Keys(weights)) {
			if !yield(Word{text, weights[text]}, nil) {
				return
			}
		}
	})
}
