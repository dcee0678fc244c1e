package answers

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/language"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/suggest"
	"github.com/varve-archive/varve/archive/search/wordform"
)

// A lexicon has the words of a collection with their forms and stop words, in all its languages.
type lexicon struct {
	words *suggest.Words  // of all versions
	forms *wordform.Index // groups of forms of one word
	stop  map[string]bool // stop words
}

// A vocabulary caches a collection's words until its search changes. Words, and later their forms, are read when first needed.
type vocabulary struct {
	mu sync.Mutex
	lexicon
	earlier *wordform.Index // the forms before the last change; most words are the same
}

func (v *vocabulary) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lexicon = lexicon{}
}

// vocabulary returns the words of all versions of the collection.
func (s *Collection) vocabulary(ctx context.Context) (*suggest.Words, error) {
	s.words.mu.Lock()
	defer s.words.mu.Unlock()
	return s.readVocabulary(ctx)
}

// minLanguageShare is the share of versions that must be in a language for its word forms to be used.
const minLanguageShare = 0.02

// lexicon returns the collection's words with their forms and stop words.
func (s *Collection) lexicon(ctx context.Context) (l lexicon, err error) {
	s.words.mu.Lock()
	defer s.words.mu.Unlock()
	if s.words.forms != nil {
		return s.words.lexicon, nil
	}
	if l.words, err = s.readVocabulary(ctx); err != nil {
		return l, err
	}
	codes, err := s.languages(ctx)
	if err != nil {
		return l, err
	}
	folder, err := wordform.NewFolder(codes)
	if err != nil {
		return l, err
	}
	l.forms = wordform.New(folder, l.words, s.words.earlier)
	l.stop = map[string]bool{}
	for _, code := range codes {
		list, _ := language.StopWords(code) // an error means that there is no list for this language
		for _, w := range list {
			l.stop[w] = true
		}
	}
	if s.words.words != nil {
		s.words.lexicon, s.words.earlier = l, l.forms
	}
	return l, nil
}

// ReadWords reads the collection's words in advance, so that the first question doesn't wait for them.
func (s *Collection) ReadWords(ctx context.Context) error {
	_, err := s.lexicon(ctx)
	return err
}

// languages returns the languages of the collection, and always English and Russian: most texts in Latin or Cyrillic letters whose language
// isn't recognized are in one of these.
func (s *Collection) languages(ctx context.Context) ([]string, error) {
	counts, err := s.Languages(ctx)
	if err != nil {
		return nil, err
	}
	all, codes := 0, []string{"en", "ru"}
	for _, c := range counts {
		all += c.Count
	}
	for _, c := range counts {
		if float64(c.Count) >= minLanguageShare*float64(all) {
			codes = append(codes, c.Name)
		}
	}
	return codes, nil
}

func (s *Collection) readVocabulary(ctx context.Context) (*suggest.Words, error) {
	if s.words.words != nil {
		return s.words.words, nil
	}
	some := false
	words, err := suggest.New(func(yield func(suggest.Word, error) bool) {
		for t, err := range s.Vocabulary(ctx, search.FieldText, "") {
			some = true
			if !yield(suggest.Word{Text: t.Word, Documents: t.Documents}, err) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if some { // an empty vocabulary isn't cached: the search is about to be built
		s.words.words = words
	}
	return words, nil
}

// Correct replaces words that the collection doesn't have by near ones that it has. ok is false if nothing was replaced.
func (s *Collection) Correct(ctx context.Context, q query.Query) (better query.Query, ok bool, err error) {
	words, err := s.vocabulary(ctx)
	if err != nil {
		return q, false, err
	}
	better, ok = words.Correct(q)
	return better, ok, nil
}

// CorrectPhrases is [Collection.Correct] for a query of changes. It returns the query as it is typed, "" if there is nothing to correct.
func (s *Collection) CorrectPhrases(ctx context.Context, q search.Query) (better string, err error) {
	words, err := s.vocabulary(ctx)
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

// Complete returns up to n whole queries that continue what somebody is typing: with other words ([suggest.Source.Finish]) and with titles
// that begin so. If there are none, it returns a correction.
func (s *Collection) Complete(ctx context.Context, typed string, n int) ([]string, error) {
	words, err := s.vocabulary(ctx)
	if err != nil {
		return nil, err
	}
	out := s.suggesting(words).Finish(typed, n)
	titles, err := s.titles(ctx, typed, min(n, maxTitles))
	if err != nil {
		return nil, err
	}
	if len(titles) == 0 && len(out) > 0 { // what was typed wrongly may be the beginning of a title
		if titles, err = s.titles(ctx, out[0], min(n, maxTitles)); err != nil {
			return nil, err
		}
	}
	out = append(out[:min(len(out), n-len(titles))], titles...)
	if q, err := s.Parse(typed); err == nil && len(out) == 0 {
		if better, ok := words.Correct(q); ok {
			out = append(out, better.String())
		}
	}
	return out, nil
}

// maxTitles bounds the titles among the suggestions.
const maxTitles = 3

// titles returns up to n titles that begin with what is typed, as phrases.
func (s *Collection) titles(ctx context.Context, typed string, n int) (out []string, err error) {
	prefix := query.Phrase(typed)
	if prefix == "" {
		return nil, nil
	}
	for t, err := range s.Titles(ctx, prefix) {
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
