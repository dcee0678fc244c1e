package searches

import (
	"context"
	"errors"

	"github.com/varve-archive/varve/archive/search"
)

// Why a search that is only read doesn't answer.
var (
	errUnbuilt    = &NoSearchError{"no search was built for this collection, and none can be built where nothing may be written"}
	errOtherRules = &NoSearchError{"the search was built under other access rules, or on an earlier day on which they meant something else, " +
		"and can't be built anew where nothing may be written"}
)

// openAsItIs opens a search that is only read.
func openAsItIs(dir string) (*search.Index, error) {
	x, err := search.OpenReadOnly(dir)
	if errors.Is(err, search.ErrUnbuilt) {
		return nil, errUnbuilt
	}
	return x, err
}

// Lacks reports whether a collection has what its search doesn't have.
func (s *Searches) Lacks(ctx context.Context, coll string) (bool, error) {
	cs, err := s.Of(coll)
	if err != nil || cs.shards != nil || cs.engine != nil { // what others build comes by itself
		return false, err
	}
	return cs.index.Lacks(ctx, s.Source(coll))
}
