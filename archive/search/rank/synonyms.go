package rank

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/search/query"
)

// Synonyms has, for a wording, the other wordings that count as much.
type Synonyms map[string][][]string

// maxWordings bounds the wordings on one line, because a query looks up each of them.
const maxWordings = 50

// ReadSynonyms reads a file with one group of wordings on each line, separated by commas. Each stands for all others. On a line with =>,
// the wordings before it also stand for those behind it, but not the reverse. # begins a comment.
//
//	car, automobile, motor vehicle
//	epa => environmental protection agency
func ReadSynonyms(r io.Reader) (Synonyms, error) {
	out := Synonyms{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		left, right, oneWay := strings.Cut(line, "=>")
		from := wordings(left)
		to := from
		if oneWay {
			to = wordings(right)
		}
		if len(from) == 0 || len(to) == 0 || !oneWay && len(from) < 2 || len(from) > maxWordings || len(to) > maxWordings {
			return nil, fmt.Errorf("line %d: want wordings separated by commas, or some => others, at most %d", n, maxWordings)
		}
		for _, w := range from {
			out.add(w, to)
		}
	}
	return out, lines.Err()
}

func wordings(list string) (out [][]string) {
	for w := range strings.SplitSeq(list, ",") {
		if words := query.Words(w); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

func (s Synonyms) add(w []string, others [][]string) {
	key := strings.Join(w, " ")
	for _, other := range others {
		same := func(o []string) bool { return slices.Equal(o, other) }
		if !slices.Equal(w, other) && !slices.ContainsFunc(s[key], same) {
			s[key] = append(s[key], other)
		}
	}
}

// of returns the other wordings for some words.
func (s Synonyms) of(words []string) [][]string { return s[strings.Join(words, " ")] }

// Synonyms returns the wordings that count as much as words.
func (r *Ranking) Synonyms(words []string) [][]string { return r.synonyms.of(words) }
