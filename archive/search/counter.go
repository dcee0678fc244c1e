package search

import (
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/archive/search/query"
)

// A counter counts the conditions of a request in the versions of a candidate. It counts lazily and remembers the results.
// It implements [counts].
type counter struct {
	c      *candidate
	of     []condition
	texts  [][]int             // by condition and row: occurrences in the text; nil until needed
	titles []map[string]int    // by condition and title
	urls   []int               // by condition; -1 until needed
	words  map[string][]string // words of each title
	url    []string
	values map[string]fields.Values // unpacked values, by their packed form
}

func newCounter(c *candidate, of []condition) *counter {
	n := len(of)
	k := &counter{c: c, of: of, texts: make([][]int, n), titles: make([]map[string]int, n), urls: make([]int, n)}
	for i := range k.urls {
		k.urls[i] = -1
	}
	return k
}

func (k *counter) places(i, row int) places {
	out := places{text: k.text(i, row), title: k.title(i, row), url: k.address(i)}
	if i < len(k.c.beside) {
		out.heading, out.furniture = k.c.beside[i].heading, k.c.beside[i].furniture
	}
	return out
}

func (k *counter) count(i, row int) int {
	switch k.of[i].field {
	case FieldTitle:
		return k.title(i, row)
	case FieldURL:
		return k.address(i)
	case FieldNamed:
		return k.named(i, row)
	}
	return k.text(i, row)
}

// named counts matching values. It remembers them by packed form, because most versions of a page have the same.
func (k *counter) named(i, row int) int {
	packed := k.c.Rows[row].Fields
	values, ok := k.values[packed]
	if !ok {
		if k.values == nil {
			k.values = map[string]fields.Values{}
		}
		values = fields.Unpack(packed)
		k.values[packed] = values
	}
	return k.of[i].inValues(values)
}

func (k *counter) text(i, row int) int {
	if k.texts[i] == nil {
		k.texts[i] = make([]int, len(k.c.Rows))
		needles := k.of[i].needles
		for j := range needles {
			k.c.Count(&needles[j], k.texts[i])
		}
		if words := k.of[i].words; words != nil {
			k.c.CountAny(words, k.texts[i])
		}
	}
	return k.texts[i][row]
}

func (k *counter) title(i, row int) int {
	title := k.c.Rows[row].Title
	if title == "" {
		return 0
	}
	if n, ok := k.titles[i][title]; ok {
		return n
	}
	words, ok := k.words[title]
	if !ok {
		if k.words == nil {
			k.words = map[string][]string{}
		}
		words = Words(title)
		k.words[title] = words
	}
	if k.titles[i] == nil {
		k.titles[i] = map[string]int{}
	}
	n := k.of[i].in(words)
	k.titles[i][title] = n
	return n
}

func (k *counter) address(i int) int {
	if k.urls[i] < 0 {
		if k.url == nil {
			k.url = query.AddressWords(k.c.key)
		}
		k.urls[i] = k.of[i].in(k.url)
	}
	return k.urls[i]
}

// in returns how often the condition occurs among words.
func (c *condition) in(words []string) (n int) {
	for _, w := range words {
		if _, ok := c.words[history.Clip(w)]; ok {
			n++
		}
	}
	for _, p := range c.phrases {
		if c.words == nil || len(p) != 1 {
			n += p.Count(words)
		}
	}
	return n
}
