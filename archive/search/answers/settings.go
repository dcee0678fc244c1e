package answers

import (
	"maps"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/archive/search/suggest"
)

// Settings say how questions to a collection are answered. The nil Settings are the usual ones.
type Settings struct {
	// Rankings are the orders of results by their names; "" is the one that is used unless another is chosen.
	Rankings map[string]*rank.Ranking
	// Dictionary has wordings that are suggested besides the words of the collection; nil for none.
	Dictionary *suggest.Words
}

// Names returns the names of the rankings that can be chosen, in order.
func (s *Settings) Names() (out []string) {
	if s != nil {
		out = slices.Sorted(maps.Keys(s.Rankings))
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" })
}

// Ranking returns the one with a name. The error is a [QueryError].
func (s *Settings) Ranking(name string) (*rank.Ranking, error) {
	if s != nil && s.Rankings[name] != nil {
		return s.Rankings[name], nil
	}
	if name == "" {
		return rank.Usual(), nil
	}
	if names := s.Names(); len(names) > 0 {
		return nil, badQuery("ranking %.40q: want one of %s", name, strings.Join(names, ", "))
	}
	return nil, badQuery("ranking %.40q: this collection has only one", name)
}

// Settings returns those of now: they may be read again while the collection is asked.
func (s *Collection) Settings() *Settings {
	if s.settings == nil {
		return nil
	}
	return s.settings()
}

// suggesting returns what is suggested from.
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
