package duplicates

import (
	"context"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/duplicates"
)

// A cache has the last results, for one generation of the index.
type cache struct {
	busy       chan struct{} // held while searching; guards the other fields
	generation uint64
	known      map[duplicates.Query]*duplicates.Found
}

// mostCached is how many answers are cached; one with [duplicates.MaxCaptures] takes some 50 MB.
const mostCached = 4

// find runs one search at a time; other callers wait.
func (d *cache) find(ctx context.Context, a *archive.Archive, q duplicates.Query) (*duplicates.Found, error) {
	select {
	case d.busy <- struct{}{}:
		defer func() { <-d.busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	generation := a.Index.Generation()
	found := d.known[q]
	if d.generation != generation || len(d.known) >= mostCached && found == nil {
		d.generation, d.known, found = generation, map[duplicates.Query]*duplicates.Found{}, nil
	}
	if found != nil {
		return found, nil
	}
	found, err := duplicates.Find(ctx, a, q)
	if err == nil && a.Index.Generation() == generation {
		d.known[q] = found
	}
	return found, err
}
