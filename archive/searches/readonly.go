package searches

import (
	"context"
	"errors"

	"github.com/varve-archive/varve/archive/search"
)

// Reasons why a read-only search doesn't answer.
var (
	errUnbuilt    = &NoSearchError{"no search was built for this collection, and none can be built where nothing may be written"}
	errOtherRules = &NoSearchError{"the search was built under other access rules, or on an earlier day on which they meant something else, " +
		"and can't be built anew where nothing may be written"}
)

// openAsItIs opens a search read-only.
func openAsItIs(dir string) (*search.Index, error) {
	x, err := search.OpenReadOnly(dir)
	if errors.Is(err, search.ErrUnbuilt) {
		return nil, errUnbuilt
	}
	return x, err
}

// Lacks reports whether the search of a collection lacks captures of it.
func (s *Searches) Lacks(ctx context.Context, coll string) (bool, error) {
	cs, err := s.Of(coll)
	if err != nil || cs.engine != nil { // others build it, so it will be updated
		return false, err
	}
	return cs.index.Lacks(ctx, s.Source(coll))
}
