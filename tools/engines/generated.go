// Package engines compares the search with others: in size, speed and the order of results.
package engines

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/archive/search/language"
	"github.com/varve-archive/varve/cdx"
)

// A Generated archive has very many pages in four languages, which are made when they are read. Words are as frequent as in natural
// languages (Zipf's law), a page repeats words of its topic, and stop words stand between. Every second page has two versions: the second
// replaces a sentence. It implements [search.Archive].
type Generated struct {
	Number int // of pages

	tongues []*tongue
}

// A tongue is one of the languages.
type tongue struct {
	code       string
	stop       []string
	heads      []string
	tails      []string
	endings    []string
	vocabulary uint64
}

// Proportions of the texts.
const (
	ofSentence = 14   // words
	ofPage     = 16   // sentences
	ofTopic    = 24   // words
	topical    = 0.3  // share of words of the page's topic
	common     = 0.42 // share of words that are stop words
)

// Generate returns an archive of a number of pages.
func Generate(pages int) (*Generated, error) {
	c := &Generated{Number: pages}
	for _, t := range []*tongue{
		{
			code: "en", heads: split("b c d f g l m n p r s t st tr pl gr"),
			tails: split("a e i o u ea ai"), endings: split("_ s ed ing er ly ness"),
		},
		{
			code: "de", heads: split("b d f g h k l m n r s sch st t w z"),
			tails: split("a e i o u ä ö ü ei"), endings: split("_ e en er es ung lich keit"),
		},
		{
			code: "fr", heads: split("b c d f g l m n p qu r s t v ch"),
			tails: split("a e i o u é è ou"), endings: split("_ s e es ment ation eur"),
		},
		{
			code: "ru", heads: split("б в г д ж з к л м н п р с т ст пр"),
			tails: split("а е и о у ы я"), endings: split("_ а у ом ы ов ами ость"),
		},
	} {
		list, err := language.StopWords(t.code)
		if err != nil {
			return nil, err
		}
		t.stop, t.vocabulary = list, 1<<17
		c.tongues = append(c.tongues, t)
	}
	return c, nil
}

func split(list string) []string { return strings.Fields(list) }

// word returns the word of a rank, from 0.
func (t *tongue) word(rank uint64) string {
	var b strings.Builder
	heads, tails := uint64(len(t.heads)), uint64(len(t.tails))
	for n := rank + 1; n > 0; {
		b.WriteString(t.heads[n%heads])
		b.WriteString(t.tails[n/heads%tails])
		n /= heads * tails
	}
	if rank > 300 {
		if ending := t.endings[rank%uint64(len(t.endings))]; ending != "_" {
			b.WriteString(ending)
		}
	}
	return b.String()
}

// Key returns the key of a page.
func (c *Generated) Key(page int) string { return fmt.Sprintf("example,host%05d)/%07d", page/40, page) }

// Language returns the language of a page.
func (c *Generated) Language(page int) string { return c.tongues[page/40%len(c.tongues)].code }

// Has returns the number of versions of a page.
func (c *Generated) Has(page int) int { return 1 + page%2 }

// Sentences returns the title and the sentences of a version of a page, from 0.
func (c *Generated) Sentences(page, version int) (title string, sentences []string) {
	t := c.tongues[page/40%len(c.tongues)]
	r := rand.New(rand.NewPCG(uint64(page), 41))
	zipf := rand.NewZipf(r, 1.1, 6, t.vocabulary)
	topic := make([]string, ofTopic)
	for i := range topic {
		topic[i] = t.word(zipf.Uint64())
	}
	title = strings.Join(topic[:4], " ")
	for range ofPage + 1 {
		words := make([]string, ofSentence)
		for i := range words {
			switch share := r.Float64(); {
			case share < common:
				words[i] = t.stop[min(r.IntN(len(t.stop)), r.IntN(len(t.stop)))]
			case share < common+topical:
				words[i] = topic[r.IntN(len(topic))]
			default:
				words[i] = t.word(zipf.Uint64())
			}
		}
		sentences = append(sentences, strings.Join(words, " ")+".")
	}
	return title, slices.Delete(sentences, ofPage-version, ofPage-version+1) // the last, or the one before it
}

// Question returns a number of words of a page, with the stop words between them.
func (c *Generated) Question(page, words int) string {
	_, sentences := c.Sentences(page, 0)
	all := strings.Fields(strings.ReplaceAll(strings.Join(sentences, " "), ".", ""))
	from := (page * 31) % (len(all) - words)
	return strings.Join(all[from:from+words], " ")
}

func (c *Generated) page(key string) (n int, ok bool) {
	_, number, _ := strings.Cut(key, ")/")
	_, err := fmt.Sscanf(number, "%d", &n)
	return n, err == nil && n < c.Number
}

func (c *Generated) Pages(context.Context) iter.Seq2[search.Page, error] {
	return func(yield func(search.Page, error) bool) {
		for i := range c.Number {
			if !yield(search.Page{Key: c.Key(i), Signature: 1}, nil) {
				return
			}
		}
	}
}

func (c *Generated) Page(_ context.Context, key string) (search.Page, bool, error) {
	_, ok := c.page(key)
	return search.Page{Key: key, Signature: 1}, ok, nil
}

func (c *Generated) Touched(_ context.Context, state string) (search.Touched, error) {
	return search.Touched{All: state == "", State: "1"}, nil
}

func (c *Generated) Versions(_ context.Context, key string) (out []search.Version, err error) {
	page, _ := c.page(key)
	for i := range c.Has(page) {
		at := cdx.Timestamp(20150101000000 + int64(i)*1_00_00_000000)
		out = append(out, search.Version{First: at, Last: at, Text: uint64(2*page+i) + 1, MIME: "text/html", Status: 200})
	}
	return out, nil
}

func (c *Generated) Text(_ context.Context, key string, v search.Version) (search.Text, error) {
	page, _ := c.page(key)
	title, sentences := c.Sentences(page, int(v.Text-1)%2)
	return search.Text{Text: history.Text{Title: title, Blocks: sentences, Kinds: make([]history.Kind, len(sentences))}}, nil
}
