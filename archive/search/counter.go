package search

import (
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/history"
)

// A counter counts the conditions of a request in the versions of a candidate. It counts what is asked for, once.
type counter struct {
	c         *candidate
	all, none []condition
	texts     [][]int             // by condition, then by row: occurrences in the text; nil before it is asked for
	titles    []map[string]int    // by condition, then by title
	urls      []int               // by condition, -1 before it is asked for
	words     map[string][]string // of titles
	url       []string
	values    map[string]fields.Values // by how they are packed
}

func newCounter(c *candidate, all, none []condition) *counter {
	n := len(all) + len(none)
	k := &counter{c: c, all: all, none: none, texts: make([][]int, n), titles: make([]map[string]int, n), urls: make([]int, n)}
	for i := range k.urls {
		k.urls[i] = -1
	}
	return k
}

func (k *counter) condition(i int) *condition {
	if i < len(k.all) {
		return &k.all[i]
	}
	return &k.none[i-len(k.all)]
}

// matches reports whether a version satisfies all conditions, and none of those that it must not.
func (k *counter) matches(row int) bool {
	for i := range len(k.all) + len(k.none) {
		if got := k.count(i, k.condition(i).field, row) > 0; got != (i < len(k.all)) {
			return false
		}
	}
	return true
}

// fill sets how often the conditions occur in each field of a version.
func (k *counter) fill(m *Match, row int) {
	m.room(len(k.all))
	for i := range k.all {
		m.Text[i], m.Title[i], m.URL[i] = k.text(i, row), k.title(i, row), k.address(i)
		if i < len(k.c.beside) {
			m.Heading[i], m.Furniture[i] = k.c.beside[i].heading, k.c.beside[i].furniture
		}
	}
}

// count returns how often condition i occurs in a field of a version.
func (k *counter) count(i int, f Field, row int) int {
	switch f {
	case FieldTitle:
		return k.title(i, row)
	case FieldURL:
		return k.address(i)
	case FieldNamed:
		return k.named(i, row)
	}
	return k.text(i, row)
}

// named counts values. Most versions of a page have the same.
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
	return k.condition(i).inValues(values)
}

func (k *counter) text(i, row int) int {
	if k.texts[i] == nil {
		k.texts[i] = make([]int, len(k.c.Rows))
		needles := k.condition(i).needles
		for j := range needles {
			k.c.Count(&needles[j], k.texts[i])
		}
		if words := k.condition(i).words; words != nil {
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
	n := k.condition(i).in(words)
	k.titles[i][title] = n
	return n
}

func (k *counter) address(i int) int {
	if k.urls[i] < 0 {
		if k.url == nil {
			k.url = urlWords(k.c.key)
		}
		k.urls[i] = k.condition(i).in(k.url)
	}
	return k.urls[i]
}

// in returns how often the condition occurs in a text of these words.
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
