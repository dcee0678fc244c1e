package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/sleep"
)

// A File is a stored file that the index knows. Its captures are visible once Done is set, and only those before
// Scanned, so a run that is killed shows nothing of its unfinished file.
type File struct {
	ID         cdx.FileID `json:"id"`
	Collection string     `json:"collection"`
	Path       string     `json:"path"` // where it was last seen
	Name       string     `json:"name"` // base name, as CDX lists it
	Size       int64      `json:"size"`
	ModTime    time.Time  `json:"mtime"`
	Head       string     `json:"head"` // fingerprint of its beginning; distinguishes grown from replaced and moved from new files
	HeadLen    int64      `json:"head_len"`
	Sum        string     `json:"sum,omitempty"` // fingerprint of the whole file; "" if unknown, as of one that has grown
	Format     string     `json:"format"`
	Scanned    int64      `json:"scanned"`  // bytes from the start that are indexed
	Resume     int64      `json:"resume"`   // where to continue when it has grown: after the last whole record
	Records    int64      `json:"records"`  // records of any type seen
	Captures   int64      `json:"captures"` // captures indexed
	Damaged    int64      `json:"damaged"`  // damaged places reported while indexing
	Done       bool       `json:"done"`
	Imported   bool       `json:"imported,omitempty"` // its captures came from a CDX file and have no texts yet
	Indexed    time.Time  `json:"indexed"`
	Changed    uint64     `json:"changed,omitempty"` // the generation of its last change; [Index.PutFile] sets it
}

// File returns the entry of a file.
func (x *Index) File(id cdx.FileID) (File, bool) {
	if f := x.files.Load().get(id); f != nil {
		return *f, true
	}
	return File{}, false
}

// FileName returns the base name of a file.
func (x *Index) FileName(id cdx.FileID) (name string, ok bool) {
	f, ok := x.File(id)
	return f.Name, ok
}

// Files returns all files, finished or not, sorted by name, then path.
func (x *Index) Files() []File {
	set := x.files.Load()
	out := make([]File, 0, set.count)
	for f := range set.all() {
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b File) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// PutFile stores f. If its ID is 0, PutFile assigns a new one and returns it. Done and Scanned take effect at once, so
// flush the entries before you mark their file done.
func (x *Index) PutFile(ctx context.Context, f File) (cdx.FileID, error) {
	return x.putFile(ctx, f, func(kv.Txn) error { return nil })
}

// putFile is PutFile, but fails if check does, in the same transaction.
func (x *Index) putFile(ctx context.Context, f File, check func(kv.Txn) error) (cdx.FileID, error) {
	if f.Done { // the mark must not outlive the entries it vouches for
		if err := x.store.Sync(ctx); err != nil {
			return 0, fmt.Errorf("index: %w", err)
		}
	}
	reached, err := x.reachOfFile(ctx, f)
	if err != nil {
		return 0, err
	}
	var id cdx.FileID
	err = x.change(ctx, reached, func(c *tableChange) (err error) {
		if err := check(c.Txn); err != nil {
			return err
		}
		if err := c.settleFile(&f); err != nil {
			return err
		}
		stored := f
		if stored.ID == 0 {
			if stored.ID, err = c.newID(); err != nil {
				return err
			}
		}
		id = stored.ID
		return c.put(stored)
	})
	return id, err
}

// reachOfFile returns the reach of a change of f's entry.
func (x *Index) reachOfFile(ctx context.Context, f File) (*reach, error) {
	from := int64(0)
	if before := x.files.Load().get(f.ID); before != nil && firstChange(before, &f) > 0 {
		from = min(before.Scanned, before.Resume) // a record that was cut off is read again
	}
	return x.reachOf(ctx, func(snap kv.Snapshot, r *reach) error {
		if f.ID == 0 {
			return nil
		}
		return r.file(snap, f.Collection, f.ID, from)
	})
}

// settleFile marks a finished file as settled.
func (c *tableChange) settleFile(f *File) error {
	if !f.Done || f.ID == 0 {
		return nil
	}
	before, err := c.get(f.ID)
	if err != nil {
		return err
	}
	was, err := settle(c.Txn, f.ID, true)
	if was && (before == nil || !before.Done) { // its removal was interrupted, so any part of it may be gone
		c.reach.all = true
	}
	return err
}

// ErrNoFile says that the index has no such file. Another process may have removed it.
const ErrNoFile = sentinel.Error("index: there is no such file in the index")

// RemoveFile removes a file and all its entries from the index. Revisits with their original in it become pending again for
// [Index.Resolve]. If it is interrupted, the file remains but isn't done.
func (x *Index) RemoveFile(ctx context.Context, id cdx.FileID) error {
	var gone File
	f, _ := x.File(id)
	reached, err := x.reachOf(ctx, func(snap kv.Snapshot, r *reach) error { return r.file(snap, f.Collection, id, 0) })
	if err != nil {
		return err
	}
	err = x.change(ctx, reached, func(c *tableChange) error {
		f, err := c.get(id)
		if err != nil {
			return err
		}
		if f == nil {
			return fmt.Errorf("%w: file %d", ErrNoFile, id)
		}
		gone = *f
		gone.Done = false // hidden from now on
		was, err := settle(c.Txn, id, false)
		if err != nil {
			return err
		}
		c.reach.all = c.reach.all || was
		return c.put(gone)
	})
	if err != nil {
		return err
	}
	if x.Shared() { // if captures were deleted before other processes know that the file is hidden, these would show only some of them
		if err := sleep.For(ctx, noticeTime); err != nil {
			return err
		}
	}
	var orphans []touchedName
	if err := purge(ctx, x.store, gone, &orphans); err != nil {
		return err
	}
	reached, err = x.reachOf(ctx, func(_ kv.Snapshot, r *reach) error {
		for _, o := range orphans {
			r.see(o.coll, []byte(o.name), o.since)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = x.change(ctx, reached, func(c *tableChange) error {
		if _, err := settle(c.Txn, id, true); err != nil {
			return err
		}
		return c.remove(id)
	})
	if err != nil {
		return err
	}
	return sweeper{x}.run(ctx)
}

// noticeTime is the time within which other processes notice a change of the file table.
const noticeTime = time.Second

// purge deletes the entries of f in one pass over its collection. It appends the SURTs of revisits with their original in f to orphans.
func purge(ctx context.Context, s kv.Store, f File, orphans *[]touchedName) error {
	b := s.Batch(ctx)
	defer b.Cancel()
	err := s.View(ctx, func(snap kv.Snapshot) error {
		for _, p := range []byte{capturePrefix, digestPrefix, pendingPrefix, wherePrefix} {
			if err := purgePrefix(snap, b, p, f, orphans); err != nil {
				return err
			}
		}
		return unlist(snap, b, f.ID)
	})
	if err != nil {
		return err
	}
	return b.Flush()
}

func purgePrefix(s kv.Snapshot, b kv.Batch, prefix byte, f File, orphans *[]touchedName) error {
	start := collKey(prefix, f.Collection)
	return kv.Each(s, kv.Range{Prefix: start, KeysOnly: prefix != capturePrefix}, start, func(c kv.Cursor) error {
		name, ts, loc, ok := splitTail(c.Key(), len(f.Collection))
		switch {
		case !ok:
			return nil
		case loc.File == f.ID:
			return purgeKey(b, prefix, f, slices.Clone(c.Key()))
		case prefix != capturePrefix:
			return nil
		}
		lost, err := orphan(c, b, f, string(name), ts, loc)
		if lost {
			*orphans = touch(*orphans, f.Collection, name, ts)
		}
		return err
	})
}

// purgeKey deletes an entry of f.
func purgeKey(b kv.Batch, prefix byte, f File, key []byte) error {
	if prefix == wherePrefix {
		if err := suspect(b, f.Collection, key); err != nil {
			return err
		}
	}
	return b.Delete(key)
}

// orphan makes a revisit pending again if its original was in f, and reports whether the capture is such a revisit.
func orphan(c kv.Cursor, b kv.Batch, f File, key string, ts cdx.Timestamp, loc cdx.Location) (bool, error) {
	rev := cdx.Capture{Key: key, Time: ts, Location: loc}
	err := c.Value(func(v []byte) error {
		if len(v) == 0 || cdx.Kind(v[0]&flagKindMask) != cdx.Revisit {
			return nil
		}
		err := decodeCapture(v, &rev)
		rev.File, rev.Offset = loc.File, loc.Offset
		return err
	})
	if err != nil || rev.Kind != cdx.Revisit || rev.Origin.File != f.ID {
		return false, err
	}
	if err := removePlace(b, f.Collection, &rev); err != nil {
		return false, err
	}
	rev.Origin, rev.Text = cdx.Location{}, 0
	if err := b.Set(captureKey(capturePrefix, f.Collection, &rev), encodeCapture(nil, &rev)); err != nil {
		return false, err
	}
	return true, b.Set(captureKey(pendingPrefix, f.Collection, &rev), nil)
}
