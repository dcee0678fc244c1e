package index

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/sleep"
)

// Several processes may index into one store. Before a process looks up what the index knows about a file, it claims the file, so that no
// other process works on it meanwhile. A claim is a lease: its holder changes it every few seconds. A process that sees a claim unchanged
// for longer takes it over. It measures that by its own clock, so clocks need not agree. A holder that was suspended meanwhile finds
// another token in its claim and can't finish the file.

const (
	claimTime  = 15 * time.Second // time without a renewal after which another process takes a claim over
	claimRenew = claimTime / 5
)

// ErrClaimed says that another process is indexing a file.
const ErrClaimed = sentinel.Error("index: another process is indexing this file")

// errClaimLost says that another process took a claim over because this one didn't renew it in time.
const errClaimLost = sentinel.Error("index: another process took this file over, because this one was not heard of for too long")

// A Claim is the right to index a file, or to do other work that only one process may do. Its value in the store is its token and the
// number of renewals.
type Claim struct {
	x     *Index
	key   []byte // nil in a store that is not shared
	token string
	stop  func()
}

func (c *Claim) value(renewals int) []byte { return fmt.Appendf(nil, "%s %d", c.token, renewals) }

// tokenOf returns the token in a claim's value.
func tokenOf(value []byte) string {
	token, _, _ := bytes.Cut(value, []byte(" "))
	return string(token)
}

// A seenClaim is the value of another process's claim, and when it was first seen.
type seenClaim struct {
	value string
	since time.Time
}

// claims is this process's view of the claims in the store.
type claims struct {
	unreleased sync.Map // by key: tokens of claims whose release could not be stored
	seen       sync.Map // by key: the [seenClaim] of another process's claim
}

// Claim claims a file of a collection, by name, until Release. It returns [ErrClaimed] if another process holds it. When it returns, this
// process knows everything that was done under earlier claims. It costs nothing in a store that no other process can use.
func (x *Index) Claim(ctx context.Context, coll, name string) (*Claim, error) {
	if !x.Shared() {
		return &Claim{x: x}, nil
	}
	return x.claim(ctx, claimKey(coll, name), importKey(coll))
}

// claim claims a key, unless another process holds it or one of the keys in unless.
func (x *Index) claim(ctx context.Context, claimed []byte, unless ...[]byte) (*Claim, error) {
	c := &Claim{x: x, key: claimed, token: rand.Text()}
	key := string(c.key)
	looked := append(slices.Clone(unless), c.key)
	err := x.store.Update(ctx, func(txn kv.Txn) error {
		for _, k := range looked {
			held, err := txn.Get(k)
			if ignoreNoKey(err) != nil {
				return err
			}
			if err == nil && x.claims.holds(string(k), held) {
				return ErrClaimed
			}
		}
		return txn.Set(c.key, c.value(0))
	})
	if err != nil {
		return nil, err
	}
	x.claims.seen.Delete(key)
	x.claims.unreleased.Delete(key)
	renewals := 0
	c.stop = sleep.Repeat(context.WithoutCancel(ctx), claimRenew, func(ctx context.Context) {
		renewals++
		_ = x.store.Update(ctx, func(txn kv.Txn) error { // a lost claim is noticed when the file is finished
			if err := c.check(txn); err != nil {
				return err
			}
			return txn.Set(c.key, c.value(renewals))
		})
	})
	if err := x.catchUp(ctx); err != nil {
		c.Release()
		return nil, err
	}
	return c, nil
}

// holds reports whether the holder of a claim is alive, as far as is known.
func (c *claims) holds(key string, value []byte) bool {
	return !c.own(key, value) && !c.abandoned(key, string(value))
}

// own reports whether this process released a claim that is still in the store.
func (c *claims) own(key string, value []byte) bool {
	token, left := c.unreleased.Load(key)
	return left && token == tokenOf(value)
}

// abandoned reports whether a claim hasn't been renewed for too long.
func (c *claims) abandoned(key, value string) bool {
	now := seenClaim{value, time.Now()}
	before, seen := c.seen.LoadOrStore(key, now)
	if first := before.(seenClaim); seen && first.value == value {
		return time.Since(first.since) > claimTime
	}
	c.seen.Store(key, now)
	return false
}

// check returns an error if another process has taken the claim over.
func (c *Claim) check(txn kv.Txn) error {
	held, err := txn.Get(c.key)
	if ignoreNoKey(err) != nil {
		return err
	}
	if tokenOf(held) != c.token {
		return errClaimLost
	}
	return nil
}

// PutFile is [Index.PutFile], but fails if the claim was lost.
func (c *Claim) PutFile(ctx context.Context, f File) (cdx.FileID, error) {
	if c.key == nil {
		return c.x.PutFile(ctx, f)
	}
	return c.x.putFile(ctx, f, c.check)
}

// Release ends the claim. If that can't be stored, other processes wait for the claim to expire; this process doesn't.
func (c *Claim) Release() {
	if c.key == nil {
		return
	}
	c.stop()
	ctx, cancel := context.WithTimeout(context.Background(), claimTime)
	defer cancel()
	err := c.x.store.Update(ctx, func(txn kv.Txn) error {
		if err := c.check(txn); err != nil {
			return err
		}
		return txn.Delete(c.key)
	})
	if err != nil && !errors.Is(err, errClaimLost) {
		c.x.claims.unreleased.Store(string(c.key), c.token)
	}
}

// An index file describes many files, in the order of its keys, so its import works on all of them at once. Hence only one import may run
// in a collection, and no file of records may be indexed meanwhile. Names of files contain no slash, so claims whose names begin with one
// are of other kinds.

// importKey returns the key of the claim of the process that imports into a collection.
func importKey(coll string) []byte { return claimKey(coll, "/") }

// ClaimIndexFile claims an index file, as [Index.Claim] does a file of records. It excludes nothing else.
func (x *Index) ClaimIndexFile(ctx context.Context, coll, name string) (*Claim, error) {
	if !x.Shared() {
		return &Claim{x: x}, nil
	}
	return x.claim(ctx, claimKey(coll, "/"+name))
}

// ClaimImport claims the import of index files into a collection, until Release: no other process imports any, and none begins to index a
// file of records. It returns [ErrClaimed] if another process imports. Processes that already index files go on: see [Claim.Alone]. It
// costs nothing in a store that no other process can use.
func (x *Index) ClaimImport(ctx context.Context, coll string) (*Claim, error) {
	if !x.Shared() {
		return &Claim{x: x}, nil
	}
	return x.claim(ctx, importKey(coll))
}

// Alone reports whether no file of records is being indexed into the collection whose import is claimed, by this process or another. If so,
// this process knows everything that was done before.
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
			if err := cur.Value(func(v []byte) error { alone = !c.x.claims.holds(key, v); return nil }); err != nil {
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
