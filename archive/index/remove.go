package index

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sleep"
)

// maxRemoved is the number of files that one pass over a collection removes, so that a change of the file table stays small.
const maxRemoved = 1_000

// RemoveFiles removes files and all their entries from the index. Revisits with their original in one of them become pending again for
// [Index.Resolve]. It passes over files that are gone already; if all are, the error wraps [ErrNoFile]. If it is interrupted, files remain
// but aren't done.
func (x *Index) RemoveFiles(ctx context.Context, ids ...cdx.FileID) error {
	removed := 0
	for some := range slices.Chunk(ids, maxRemoved) {
		r := &removal{x: x}
		if err := r.run(ctx, some); err != nil {
			return err
		}
		removed += len(r.files)
	}
	switch {
	case len(ids) == 0:
		return nil
	case removed == 0:
		return fmt.Errorf("%w: files %d", ErrNoFile, ids)
	}
	return sweeper{x}.run(ctx)
}

// IDs returns the IDs of files.
func IDs(files []File) []cdx.FileID {
	ids := make([]cdx.FileID, len(files))
	for i := range files {
		ids[i] = files[i].ID
	}
	return ids
}

// A removal removes files.
type removal struct {
	x       *Index
	files   []File
	orphans []touchedName // the SURTs of revisits that had their original in one of the files
}

func (r *removal) run(ctx context.Context, ids []cdx.FileID) error {
	if err := r.hide(ctx, ids); err != nil || len(r.files) == 0 {
		return err
	}
	if r.x.Shared() { // if captures were deleted before other processes know that the files are hidden, these would show only some of them
		if err := sleep.For(ctx, noticeTime); err != nil {
			return err
		}
	}
	if err := r.purge(ctx); err != nil {
		return err
	}
	return r.finish(ctx)
}

// noticeTime is the time within which other processes notice a change of the file table.
const noticeTime = time.Second

// hide marks the files that are there as not done, so that nobody sees their captures.
func (r *removal) hide(ctx context.Context, ids []cdx.FileID) error {
	reached, err := r.x.reachOf(ctx, func(snap kv.Snapshot, reached *reach) error {
		for _, id := range ids {
			f, _ := r.x.File(id)
			if err := reached.file(snap, f.Collection, id, 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.x.change(ctx, reached, func(c *tableChange) error {
		r.files = nil
		for _, id := range ids {
			f, err := c.get(id)
			if err != nil {
				return err
			}
			if f == nil {
				continue
			}
			was, err := settle(c.Txn, id, false)
			if err != nil {
				return err
			}
			c.reach.all = c.reach.all || was
			f.Done = false
			r.files = append(r.files, *f)
			if err := c.put(*f); err != nil {
				return err
			}
		}
		return nil
	})
}

// purge deletes the entries of the hidden files.
func (r *removal) purge(ctx context.Context) error {
	byCollection := map[string]map[cdx.FileID]bool{}
	for _, f := range r.files {
		if byCollection[f.Collection] == nil {
			byCollection[f.Collection] = map[cdx.FileID]bool{}
		}
		byCollection[f.Collection][f.ID] = true
	}
	for coll, files := range byCollection {
		p := &purge{coll: coll, files: files}
		if err := p.run(ctx, r.x.store); err != nil {
			return err
		}
		r.orphans = append(r.orphans, p.orphans...)
	}
	return nil
}

// finish takes the files out of the file table.
func (r *removal) finish(ctx context.Context) error {
	reached, err := r.x.reachOf(ctx, func(_ kv.Snapshot, reached *reach) error {
		for _, o := range r.orphans {
			reached.see(o.coll, []byte(o.name), o.since)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.x.change(ctx, reached, func(c *tableChange) error {
		for _, f := range r.files {
			if _, err := settle(c.Txn, f.ID, true); err != nil {
				return err
			}
			if err := c.remove(f.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// A purge deletes the entries of files in one pass over their collection.
type purge struct {
	coll    string
	files   map[cdx.FileID]bool
	batch   kv.Batch
	orphans []touchedName
}

func (p *purge) run(ctx context.Context, s kv.Store) error {
	p.batch = s.Batch(ctx)
	defer p.batch.Cancel()
	err := s.View(ctx, func(snap kv.Snapshot) error {
		for _, prefix := range []byte{capturePrefix, digestPrefix, pendingPrefix, wherePrefix} {
			if err := p.entries(snap, prefix); err != nil {
				return err
			}
		}
		for id := range p.files {
			if err := unlist(snap, p.batch, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.batch.Flush()
}

func (p *purge) entries(s kv.Snapshot, prefix byte) error {
	start := collKey(prefix, p.coll)
	return kv.Each(s, kv.Range{Prefix: start, KeysOnly: prefix != capturePrefix}, start, func(c kv.Cursor) error {
		name, ts, loc, ok := splitTail(c.Key(), len(p.coll))
		switch {
		case !ok:
			return nil
		case p.files[loc.File]:
			return p.entry(prefix, slices.Clone(c.Key()))
		case prefix != capturePrefix:
			return nil
		}
		lost, err := p.orphan(c, string(name), ts, loc)
		if lost {
			p.orphans = touch(p.orphans, p.coll, name, ts)
		}
		return err
	})
}

// entry deletes an entry of one of the files.
func (p *purge) entry(prefix byte, key []byte) error {
	if prefix == wherePrefix {
		if err := suspect(p.batch, p.coll, key); err != nil {
			return err
		}
	}
	return p.batch.Delete(key)
}

// orphan makes a revisit pending again if its original was in one of the files, and reports whether the capture is such a revisit.
func (p *purge) orphan(c kv.Cursor, key string, ts cdx.Timestamp, loc cdx.Location) (bool, error) {
	rev := cdx.Capture{Key: key, Time: ts, Location: loc}
	err := c.Value(func(v []byte) error {
		if len(v) == 0 || cdx.Kind(v[0]&flagKindMask) != cdx.Revisit {
			return nil
		}
		err := decodeCapture(v, &rev)
		rev.File, rev.Offset = loc.File, loc.Offset
		return err
	})
	if err != nil || rev.Kind != cdx.Revisit || !p.files[rev.Origin.File] {
		return false, err
	}
	if err := removePlace(p.batch, p.coll, &rev); err != nil {
		return false, err
	}
	rev.Origin, rev.Text = cdx.Location{}, 0
	if err := p.batch.Set(captureKey(capturePrefix, p.coll, &rev), encodeCapture(nil, &rev)); err != nil {
		return false, err
	}
	return true, p.batch.Set(captureKey(pendingPrefix, p.coll, &rev), nil)
}
