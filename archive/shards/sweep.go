package shards

import (
	"context"
	"errors"
	"time"

	"github.com/varve-archive/varve/cdx/index"
)

// keptFor is how long a file stays in the place after it was put, whether a state names it or not: longer than anybody takes to
// publish. Who fetches a state that was just replaced may lose its older files, and asks for the newer state.
const keptFor = 24 * time.Hour

// Sweep forgets the searches of collections that are no more, and removes old files from the place that no state names. It
// returns how many they were. Several processes may do so at once.
func (r *Room) Sweep(ctx context.Context) (removed int, err error) {
	if err := r.forget(ctx); err != nil {
		return 0, err
	}
	var old []string
	for o, err := range r.Place.List(ctx, r.identity+"/") {
		if err != nil {
			return 0, err
		}
		if o.Name != r.identity+"/"+marker && time.Since(o.Time) > keptFor {
			old = append(old, o.Name)
		}
	}
	named, err := r.named(ctx) // after the list: what is published later has newer files, which are not listed as old
	if err != nil {
		return 0, err
	}
	for _, name := range old {
		if named[name] {
			continue
		}
		if err := r.Place.Remove(ctx, name); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// named returns the files that published states name.
func (r *Room) named(ctx context.Context) (map[string]bool, error) {
	out := map[string]bool{}
	for p, err := range r.Index.Published(ctx, "", "") {
		if err != nil {
			return nil, err
		}
		s, err := parseState(p.Value)
		if err != nil {
			return nil, err
		}
		for _, f := range s.Files {
			out[f.At] = true
		}
	}
	return out, nil
}

// forget withdraws what is published of collections without files.
func (r *Room) forget(ctx context.Context) error {
	for p, err := range r.Index.Published(ctx, "", "") {
		if err != nil {
			return err
		}
		if r.Index.Has(p.Coll) {
			continue
		}
		claim, err := r.Index.ClaimPart(ctx, p.Coll, p.Name)
		if errors.Is(err, index.ErrClaimed) {
			continue
		}
		if err != nil {
			return err
		}
		if !r.Index.Has(p.Coll) { // who claims knows of all that was done before
			err = claim.Withdraw(ctx)
		}
		claim.Release()
		if err != nil {
			return err
		}
	}
	return nil
}
