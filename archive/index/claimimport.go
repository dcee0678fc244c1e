package index

import (
	"context"

	"github.com/varve-archive/varve/archive/index/kv"
)

// An index file tells of many files, in the order of its keys: whoever imports it works on all of them at once. So it is imported beside
// nothing else of its collection. Names of files hold no slash, so what begins with one names something else.

// importKey returns the key of the claim of whoever imports into a collection.
func importKey(coll string) []byte { return claimKey(coll, "/") }

// ClaimIndexFile claims an index file, as [Index.Claim] does a file of records. It hinders nobody else.
func (x *Index) ClaimIndexFile(ctx context.Context, coll, name string) (*Claim, error) {
	if !x.Shared() {
		return &Claim{x: x}, nil
	}
	return x.claim(ctx, claimKey(coll, "/"+name))
}

// ClaimImport claims that index files are imported into a collection, until Release: nobody else imports any, and nobody begins to index
// a file of records. If another process imports, it returns [ErrClaimed]. Those that began before go on: see [Claim.Alone]. In a store
// that no other process can use, it costs nothing.
func (x *Index) ClaimImport(ctx context.Context, coll string) (*Claim, error) {
	if !x.Shared() {
		return &Claim{x: x}, nil
	}
	return x.claim(ctx, importKey(coll))
}

// Alone reports whether nobody indexes a file of records into a collection whose import is claimed, this process's other runs included.
// If so, this process knows of all that was done.
func (c *Claim) Alone(ctx context.Context, coll string) (alone bool, err error) {
	if c.key == nil {
		return true, nil
	}
	claims := collKey(claimPrefix, coll)
	alone = true
	err = c.x.store.View(ctx, func(snap kv.Snapshot) error {
		cur := snap.Cursor(kv.Range{Prefix: claims})
		defer cur.Close()
		for cur.Seek(claims); cur.Valid() && alone; cur.Next() {
			key := string(cur.Key())
			if key[len(claims):] != "" && key[len(claims)] == '/' {
				continue
			}
			if err := cur.Value(func(v []byte) error { alone = !c.x.holds(key, v); return nil }); err != nil {
				return err
			}
		}
		return cur.Err()
	})
	if err != nil || !alone {
		return false, err
	}
	return true, c.x.catchUp(ctx)
}
