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
)

// Several processes may index into one store. Before one of them looks at what the index knows of a file, it claims the
// file, and nobody else does anything about it meanwhile. A claim is a lease: its holder changes it every few seconds. A
// process that sees a claim unchanged for longer takes it over, by its own clock, so clocks need not agree. A holder that
// slept meanwhile finds another one's token in its claim and can't finish the file.

const (
	claimTime  = 15 * time.Second // for which a claim may stay as it is before another process takes it over
	claimRenew = claimTime / 5
)

// ErrClaimed says that another process is indexing a file, or making a part.
const ErrClaimed = sentinel.Error("index: another process is indexing this file")

// errClaimLost says that a process was away for so long that another one took its file over.
const errClaimLost = sentinel.Error("index: another process took this file over, because this one was not heard of for too long")

// A Claim is the right to index a file, or to do something else that one process has to do. In the store it is its token and how
// often it was renewed.
type Claim struct {
	x     *Index
	key   []byte // nil in a store that is not shared
	token string
	stop  context.CancelFunc
	ended sync.WaitGroup
}

// value is what a claim is in the store.
func (c *Claim) value(renewals int) []byte { return fmt.Appendf(nil, "%s %d", c.token, renewals) }

// tokenOf returns the token of a claim in the store.
func tokenOf(value []byte) string {
	token, _, _ := bytes.Cut(value, []byte(" "))
	return string(token)
}

// A sight is how a claim of another process looked, and since when.
type sight struct {
	value string
	since time.Time
}

// claims are what this process knows of the claims in the store.
type claims struct {
	unreleased sync.Map // tokens of those that the store could not be told are released, by key
	sights     sync.Map // of other processes' claims, by key
}

// Claim claims the file of a name in a collection, until Release. If another process holds it, Claim returns
// [ErrClaimed]. It returns once this process knows of all that was done under earlier claims. In a store that no other
// process can use, it costs nothing.
func (x *Index) Claim(ctx context.Context, coll, name string) (*Claim, error) {
	if !x.Shared() {
		return &Claim{x: x}, nil
	}
	return x.claim(ctx, claimKey(coll, name), importKey(coll))
}

// claim claims what a key stands for, unless another process holds it or a claim with one of some other keys.
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
	x.claims.sights.Delete(key)
	x.claims.unreleased.Delete(key)
	keep, stop := context.WithCancel(context.WithoutCancel(ctx))
	c.stop = stop
	c.ended.Go(func() { c.keep(keep) })
	if err := x.catchUp(ctx); err != nil {
		c.Release()
		return nil, err
	}
	return c, nil
}

// holds reports whether a claim is that of somebody who is at work.
func (c *claims) holds(key string, value []byte) bool {
	return !c.own(key, value) && !c.abandoned(key, string(value))
}

// own reports whether a claim is one that this process could not release.
func (c *claims) own(key string, value []byte) bool {
	token, left := c.unreleased.Load(key)
	return left && token == tokenOf(value)
}

// abandoned reports whether a claim has looked like this for too long.
func (c *claims) abandoned(key, value string) bool {
	now := sight{value, time.Now()}
	before, seen := c.sights.LoadOrStore(key, now)
	if first := before.(sight); seen && first.value == value {
		return time.Since(first.since) > claimTime
	}
	c.sights.Store(key, now)
	return false
}

// keep renews the claim until ctx ends.
func (c *Claim) keep(ctx context.Context) {
	tick := time.NewTicker(claimRenew)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_ = c.x.store.Update(ctx, func(txn kv.Txn) error { // who lost the claim learns it when the file is to be finished
			if err := c.check(txn); err != nil {
				return err
			}
			return txn.Set(c.key, c.value(n))
		})
	}
}

// check returns an error if the claim is another process's now.
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

// PutFile is [Index.PutFile], unless the claim was lost.
func (c *Claim) PutFile(ctx context.Context, f File) (cdx.FileID, error) {
	if c.key == nil {
		return c.x.PutFile(ctx, f)
	}
	return c.x.putFile(ctx, f, c.check)
}

// Release ends the claim. If the store can't be told, other processes wait until it is too old, this one doesn't.
func (c *Claim) Release() {
	if c.key == nil {
		return
	}
	c.stop()
	c.ended.Wait()
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
