package archive

import (
	"context"
	"errors"

	"github.com/varve-archive/varve/access"
	"github.com/varve-archive/varve/search"
)

// A search that can't be built anew answers only if it was built under the rules that are in force. One that depends on the
// clock would have to be built every day.

// Why a search that is only read doesn't answer.
var (
	errUnbuilt    = &NoSearchError{"no search was built for this collection, and none can be built where nothing may be written"}
	errOtherRules = &NoSearchError{"the search was built under other access rules, and can't be built anew where nothing may be written"}
	errClocks     = &NoSearchError{"access rules depend on the date: the search would have to be built every day, and nothing may be written"}
)

// openAsItIs opens a search that is only read.
func openAsItIs(dir string) (*search.Index, error) {
	x, err := search.OpenReadOnly(dir)
	if errors.Is(err, search.ErrUnbuilt) {
		return nil, errUnbuilt
	}
	return x, err
}

// mayAnswer returns an error unless a search that is only read was built for the rules in force.
func mayAnswer(cs *CollectionSearch, rules *access.Rules) error {
	switch {
	case rules.Clocks():
		return errClocks
	case cs.rules.current() != rules.Sum():
		return errOtherRules
	}
	return nil
}

// SearchLacks reports whether a collection has what its search doesn't have.
func (s *Archive) SearchLacks(ctx context.Context, coll string) (bool, error) {
	cs, err := s.Search(coll)
	if err != nil {
		return false, err
	}
	return cs.Lacks(ctx, s.Searchable(coll))
}
