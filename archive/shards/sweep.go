package shards

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"time"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/index"
)

// keptFor is how long a file stays in the place after it was put, and again after it was found that no state names it. Publishing a state,
// or fetching the last one, takes less. A process that takes longer uses a newer state.
const keptFor = 24 * time.Hour

// Files of a [Place], in the folder of the index, that belong to no shard.
const (
	marker = "varve-search"  // exists once anything does; each sweep puts it again, so that its time is that of the last sweep
	list   = "varve-unnamed" // JSON: since when each file has not been named
)

// Sweep withdraws the searches of removed collections, and removes old files that no state has named for a day. It returns their number.
// Several processes may sweep at once, because a file that is no longer named is never named again.
func (r *Room) Sweep(ctx context.Context) (removed int, err error) {
	if err := r.forget(ctx); err != nil {
		return 0, err
	}
	now, old, err := r.old(ctx)
	if err != nil {
		return 0, err
	}
	named, err := r.named(ctx) // read after the listing: states that are published later have newer files
	if err != nil {
		return 0, err
	}
	before, err := r.unnamed(ctx)
	if err != nil {
		return 0, err
	}
	since := map[string]time.Time{}
	for _, name := range old {
		at, known := before[name]
		switch {
		case named[name]:
		case !known:
			since[name] = now
		case now.Sub(at) <= keptFor:
			since[name] = at
		default:
			if err := r.Place.Remove(ctx, name); err != nil {
				return removed, err
			}
			removed++
		}
	}
	if maps.Equal(since, before) {
		return removed, nil
	}
	return removed, r.note(ctx, since)
}

// old returns the files that were put more than a day ago. now is the time by the clock of the place, since this machine's may be wrong.
func (r *Room) old(ctx context.Context) (now time.Time, names []string, err error) {
	if err := r.putMarker(ctx); err != nil {
		return now, nil, err
	}
	var all []blobstore.File
	for o, err := range r.Place.List(ctx, r.identity+"/") {
		switch {
		case err != nil:
			return now, nil, err
		case o.Name == r.identity+"/"+marker:
			now = o.Time
		case o.Name != r.identity+"/"+list:
			all = append(all, o)
		}
	}
	for _, o := range all {
		if now.Sub(o.Time) > keptFor {
			names = append(names, o.Name)
		}
	}
	return now, names, nil
}

// unnamed reads since when files have not been named. An unreadable list is replaced.
func (r *Room) unnamed(ctx context.Context) (since map[string]time.Time, err error) {
	f, err := r.Place.Open(ctx, r.identity+"/"+list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(f)
	if err == nil && json.Unmarshal(content, &since) != nil {
		return nil, nil
	}
	return since, err
}

// note stores since when files have not been named.
func (r *Room) note(ctx context.Context, since map[string]time.Time) error {
	content, err := json.Marshal(since)
	if err != nil {
		return err
	}
	return r.Place.Put(ctx, r.identity+"/"+list, bytes.NewReader(content))
}

// named returns the files that published states name.
func (r *Room) named(ctx context.Context) (map[string]bool, error) {
	out := map[string]bool{}
	for p, err := range r.Index.Parts().All(ctx, "", "") {
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

// forget withdraws published states of collections without files.
func (r *Room) forget(ctx context.Context) error {
	for p, err := range r.Index.Parts().All(ctx, "", "") {
		if err != nil {
			return err
		}
		if r.Index.Has(p.Coll) {
			continue
		}
		claim, err := r.Index.Parts().Claim(ctx, p.Coll, p.Name)
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
