package index

import (
	"context"

	"github.com/varve-archive/varve/archive/index/kv"
)

// A view is a snapshot of the store together with the file table of the same moment.
type view struct {
	kv.Snapshot
	files *fileSet
}

// view runs f on a snapshot and the file table of the same moment, so that the snapshot has all entries of finished files. If the table
// were older or newer than the snapshot, a file that is being finished or removed could show only some of its captures.
func (x *Index) view(ctx context.Context, f func(view) error) error {
	for {
		files, moved := x.files.Load(), false
		err := x.store.View(ctx, func(snap kv.Snapshot) error {
			if moved = x.files.Load() != files; moved {
				return nil
			}
			return f(view{snap, files})
		})
		if err != nil || !moved {
			return err
		}
	}
}

// hasNow is has for the present state of a store.
func hasNow(ctx context.Context, s kv.Store, prefix []byte) (found bool, err error) {
	err = s.View(ctx, func(snap kv.Snapshot) error {
		found, err = has(snap, prefix)
		return err
	})
	return found, err
}

// has reports whether a key begins with prefix.
func has(snap kv.Snapshot, prefix []byte) (bool, error) {
	c := snap.Cursor(kv.Range{Prefix: prefix, KeysOnly: true})
	defer c.Close()
	c.Seek(prefix)
	return c.Valid(), c.Err()
}
