package answers

import (
	"maps"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/archive/search/suggest"
)

// Settings say how a collection answers questions. nil Settings are the defaults.
type Settings struct {
	// Rankings are the rankings by name; "" is the default one.
	Rankings map[string]*rank.Ranking
	// Dictionary has suggestions beside the words of the collection; nil for none.
	Dictionary *suggest.Words
}

// Names returns the names of the rankings, sorted.
func (s *Settings) Names() (out []string) {
	if s != nil {
		out = slices.Sorted(maps.Keys(s.Rankings))
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" })
}

// Ranking returns the ranking with a name. The error is a [QueryError].
func (s *Settings) Ranking(name string) (*rank.Ranking, error) {
	if s != nil && s.Rankings[name] != nil {
		return s.Rankings[name], nil
	}
	if name == "" {
		return rank.Default(), nil
	}
	if names := s.Names(); len(names) > 0 {
		return nil, badQuery("ranking %.40q: want one of %s", name, strings.Join(names, ", "))
	}
	return nil, badQuery("ranking %.40q: this collection has only one", name)
}

// Settings returns the current settings, which may change between questions.
func (s *Collection) Settings() *Settings {
	if s.settings == nil {
		return nil
	}
	return s.settings()
}

func (s *Collection) suggesting(words *suggest.Words) *suggest.Source {
	out := &suggest.Source{Words: words}
	of := s.Settings()
	if of == nil {
		return out
	}
	out.Own = of.Dictionary
	if r := of.Rankings[""]; r != nil {
		out.Synonyms = r.Synonyms
	}
	return out
}
