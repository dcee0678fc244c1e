package search

import (
	"context"
	"errors"
	"strings"

	"github.com/abadojack/whatlanggo"
)

// languagesSample is how many documents tell in which languages a collection is.
const languagesSample = 2000

// Languages returns the languages of the collection's versions, by their ISO 639 codes, most first. It looks at some pages, from the
// whole collection.
func (x *Index) Languages(ctx context.Context) (out []Count, err error) {
	counts := map[string]int{}
	err = x.view(func(r reader) error {
		facts := r.facts()
		size := r.size()
		step := max(1, size/languagesSample)
		for doc := uint64(0); doc < size; doc += step {
			f, ok, err := facts.of(doc)
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			for i := range f.rows {
				if lang := f.rows[i].Lang; ok && lang != "" {
					counts[lang]++
				}
			}
		}
		return nil
	})
	return mostFirst(listed(counts)), err
}

// trigramSample is the number of words in which trigrams are counted. It takes a third of a millisecond.
const trigramSample = 100

// tell guesses the language of a text: in which languages its stop words mean nothing, and its ISO 639 code, "" if it is not
// clear. Stop words tell the languages that have a list, and cost little. Others are told by their script and trigrams, and so is
// Japanese, which shares a list with Chinese. English stop words mean nothing in any language, because pages everywhere contain
// pieces of it.
func (s *stopWords) tell(words []string) (stop language, code string) {
	stop = s.lists["the"]
	list, ok := s.list(words)
	if ok {
		stop |= 1 << list
	}
	if ok && codes[list] != "zh" {
		return stop, codes[list]
	}
	guess := whatlanggo.Detect(strings.Join(words[:min(len(words), trigramSample)], " "))
	if !guess.IsReliable() {
		return stop, ""
	}
	return stop, guess.Lang.Iso6391()
}
