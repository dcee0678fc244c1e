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
)

// A File is a stored file that the index knows. Its captures are visible once Done is set, and only those before
// Scanned, so a run that is killed shows nothing of its unfinished file.
type File struct {
	ID         cdx.FileID `json:"id"`
	Collection string     `json:"collection"`
	Path       string     `json:"path"`             // where it was last seen
	Source     string     `json:"source,omitempty"` // the stored file that the one at Path was unpacked from; "" if that is the stored file
	Name       string     `json:"name"`             // base name, as CDX lists it
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

// Stored returns the path of the stored file, which may be another than that of the unpacked copy from which it is read.
func (f *File) Stored() string { return cmp.Or(f.Source, f.Path) }

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
