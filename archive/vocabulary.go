package archive

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/suggest"
)

// A vocabulary holds the words of a collection until its search is built further. They are read when they are first
// needed.
type vocabulary struct {
	mu    sync.Mutex
	words *suggest.Words
}

func (v *vocabulary) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.words = nil
}

// vocabulary returns the words of all versions of the collection.
func (cs *CollectionSearch) vocabulary(ctx context.Context) (*suggest.Words, error) {
	cs.words.mu.Lock()
	defer cs.words.mu.Unlock()
	if cs.words.words != nil {
		return cs.words.words, nil
	}
	some := false
	words, err := suggest.New(func(yield func(suggest.Word, error) bool) {
		for t, err := range cs.Vocabulary(ctx, search.FieldText, "") {
			some = true
			if !yield(suggest.Word{Text: t.Word, Documents: t.Documents}, err) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if some { // what has no words is about to be built, and is asked already
		cs.words.words = words
	}
	return words, nil
}

// Correct returns the query with near words of the collection in place of those that it doesn't have; ok is false if it
// has them all, or nothing near.
func (cs *CollectionSearch) Correct(ctx context.Context, q query.Query) (better query.Query, ok bool, err error) {
	words, err := cs.vocabulary(ctx)
	if err != nil {
		return q, false, err
	}
	better, ok = words.Correct(q)
	return better, ok, nil
}

// CorrectPhrases does so for a query of changes. It returns the query as it is typed, "" if there is nothing to correct.
func (cs *CollectionSearch) CorrectPhrases(ctx context.Context, q search.Query) (better string, err error) {
	words, err := cs.vocabulary(ctx)
	if err != nil {
		return "", err
	}
	corrector, changed := words.Corrector(), false
	var parts []string
	for _, p := range q.Phrases {
		p = slices.Clone(p)
		for i, w := range p {
			if near := corrector.Instead(w); near != "" {
				p[i], changed = near, true
			}
		}
		parts = append(parts, p.Typed())
	}
	if !changed {
		return "", nil
	}
	return strings.Join(parts, " "), nil
}

// Complete returns up to n ways to go on with what somebody is typing: the collection's words that begin like its last,
// the most frequent first, then titles; if there is neither, a correction. Each is a whole query.
func (cs *CollectionSearch) Complete(ctx context.Context, typed string, n int) ([]string, error) {
	words, err := cs.vocabulary(ctx)
	if err != nil {
		return nil, err
	}
	titles, err := cs.titles(ctx, typed, min(n, maxTitles))
	if err != nil {
		return nil, err
	}
	out := append(words.Finish(typed, n-len(titles)), titles...)
	if q, err := cs.Parse(typed); err == nil && len(out) == 0 {
		if better, ok := words.Correct(q); ok {
			out = append(out, better.String())
		}
	}
	return out, nil
}

// maxTitles is how many titles are among the suggestions at most.
const maxTitles = 3

// titles returns up to n titles that begin with what is typed, as phrases.
func (cs *CollectionSearch) titles(ctx context.Context, typed string, n int) (out []string, err error) {
	prefix := query.Phrase(typed)
	if prefix == "" {
		return nil, nil
	}
	for t, err := range cs.Titles(ctx, prefix) {
		if err != nil {
			return nil, err
		}
		if len(out) >= n {
			break
		}
		if title := `"` + query.Phrase(t.Word) + `"`; title != `""` && !slices.Contains(out, title) {
			out = append(out, title)
		}
	}
	return out, nil
}
