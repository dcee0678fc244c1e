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

// keptFor is how long a file stays in the place after it was put, and again after it was found that no state names it: longer than
// anybody takes to publish, or to fetch what was published last. Who takes longer asks for a newer state.
const keptFor = 24 * time.Hour

// The files of a [Place] that are no shard's, in the folder of the index.
const (
	marker = "varve-search"  // is there once anything is. Each sweep puts it anew, so its time is that of the last one.
	list   = "varve-unnamed" // says since when files are not named, JSON
)

// Sweep forgets the searches of collections that are no more, and removes old files from the place that no state has named for a
// day. It returns how many they were. Several processes may do so at once: a file that no state names any more is never named again.
func (r *Room) Sweep(ctx context.Context) (removed int, err error) {
	if err := r.forget(ctx); err != nil {
		return 0, err
	}
	now, old, err := r.old(ctx)
	if err != nil {
		return 0, err
	}
	named, err := r.named(ctx) // after the list: what is published later has newer files, which are not listed as old
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

// old returns the files that were put more than a day ago. Their times are those of the place, where it is now: the clock of this
// machine may be wrong.
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

// unnamed returns since when files are known not to be named. A list that can't be understood is begun anew.
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

// note keeps since when files are known not to be named.
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

// forget withdraws what is published of collections without files.
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
