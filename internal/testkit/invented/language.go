package invented

import (
	"math/rand/v2"
	"strings"
)

// A language generates words with the frequencies and repetitions of natural languages: some are in every sentence, most are rare (Zipf's
// law), a rare word is repeated on its page, and some words often follow each other. A page of a thousand words has some four hundred
// distinct ones.
type language struct {
	random *rand.Rand
	ranks  *rand.Zipf
	words  map[uint64]string
}

const (
	zipf       = 1.1
	flattening = 3
	maxWords   = 1 << 20

	usual      = 0.44 // share of words that are one of the usual followers of the word before
	followers  = 3
	topical    = 0.22 // share of words that are of the page's topic
	topicWords = 64
	repeated   = 0.06 // share of words behind which a phrase of the topic begins
	phrases    = 24   // of a topic
)

// The letters of which syllables are made.
const (
	heads = "dklmnrst"
	tails = "aeio"
)

func newLanguage(r *rand.Rand) *language {
	return &language{r, rand.NewZipf(r, zipf, flattening, maxWords), map[uint64]string{}}
}

// word returns the word of a rank, from 0. Commoner words are shorter.
func (l *language) word(rank uint64) string {
	if w, ok := l.words[rank]; ok {
		return w
	}
	var b strings.Builder
	for n := rank + 3; n > 0; {
		b.WriteByte(heads[n%uint64(len(heads))])
		n /= uint64(len(heads))
		b.WriteByte(tails[n%uint64(len(tails))])
		n /= uint64(len(tails))
		if n == 0 && rank%3 == 0 {
			b.WriteByte("nrst"[rank%4])
		}
	}
	l.words[rank] = b.String()
	return b.String()
}

// A topic is the words and phrases that a page repeats.
type topic struct {
	words   []uint64
	phrases [][]uint64
}

func (l *language) topic() topic {
	var t topic
	for range topicWords {
		t.words = append(t.words, l.ranks.Uint64())
	}
	for range phrases {
		t.phrases = append(t.phrases, l.ranksOf(t, 3+l.random.IntN(5)))
	}
	return t
}

// sentence returns so many words on a topic.
func (l *language) sentence(t topic, words int) string {
	var b strings.Builder
	for i, rank := range l.ranksOf(t, words) {
		w := l.word(rank)
		if i == 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String()
}

// ranksOf returns the ranks of words that follow each other.
func (l *language) ranksOf(t topic, words int) []uint64 {
	out := []uint64{l.ranks.Uint64()}
	for len(out) < words {
		if len(t.phrases) > 0 && l.random.Float64() < repeated {
			out = append(out, t.phrases[l.early(len(t.phrases))]...)
		} else {
			out = append(out, l.after(t, out[len(out)-1]))
		}
	}
	return out[:words]
}

func (l *language) after(t topic, rank uint64) uint64 {
	switch p := l.random.Float64(); {
	case p < usual:
		return l.follower(rank, l.random.Uint64N(followers))
	case p < usual+topical:
		return t.words[l.early(len(t.words))]
	}
	return l.ranks.Uint64()
}

// early returns one of n numbers, the first ones more often.
func (l *language) early(n int) int { return l.random.IntN(l.random.IntN(n) + 1) }

// follower returns one of the words that like to follow another. They are mostly common ones.
func (l *language) follower(rank, number uint64) uint64 {
	mixed := (rank*followers + number + 1) * 0x9e3779b97f4a7c15
	return (mixed >> 40) % (1 << (2 + mixed>>32%9))
}

// paragraph returns sentences of so many words together.
func (l *language) paragraph(t topic, words int) string {
	var b strings.Builder
	for words > 0 {
		n := min(words, 6+l.random.IntN(24))
		b.WriteString(l.sentence(t, n))
		b.WriteString(". ")
		words -= n
	}
	return strings.TrimSpace(b.String())
}
