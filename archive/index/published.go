package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"iter"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Processes build some things together from an index, such as its search, in parts that are stored elsewhere. A process that builds a part
// claims it, like a file, and finally publishes it: the index then has the part's current value. A process that was suspended and lost its
// claim can't overwrite what its successor published.

// ErrUnshared says that nothing can be published, because no other process can use the store.
const ErrUnshared = sentinel.Error("index: the index is not shared")

// Parts are the published parts of an index.
type Parts struct{ x *Index }

// A PartClaim is the right to publish a part, until Release.
type PartClaim struct {
	*Claim
	part []byte
}

// Claim claims a part of a collection, as [Index.Claim] claims a file. Names of parts may contain any byte.
func (p Parts) Claim(ctx context.Context, coll, name string) (*PartClaim, error) {
	if !p.x.Shared() {
		return nil, ErrUnshared
	}
	c, err := p.x.claim(ctx, append(collKey(makerPrefix, coll), name...))
	if err != nil {
		return nil, err
	}
	return &PartClaim{c, append(collKey(publishedPrefix, coll), name...)}, nil
}

// Publish makes value (less than 1 MiB) the part's current value. It fails if the claim was lost.
func (c *PartClaim) Publish(ctx context.Context, value []byte) error {
	return c.change(ctx, func(txn kv.Txn) error { return txn.Set(c.part, value) })
}

// Withdraw removes the part's current value. It fails if the claim was lost.
func (c *PartClaim) Withdraw(ctx context.Context) error {
	return c.change(ctx, func(txn kv.Txn) error { return txn.Delete(c.part) })
}

func (c *PartClaim) change(ctx context.Context, f func(kv.Txn) error) error {
	return c.x.store.Update(ctx, func(txn kv.Txn) error {
		if err := c.check(txn); err != nil {
			return err
		}
		n, err := number(txn.Get(publicationsKey.key()))
		if err != nil {
			return err
		}
		if err := txn.Set(publicationsKey.key(), binary.BigEndian.AppendUint64(nil, n+1)); err != nil {
			return err
		}
		return f(txn)
	})
}

// A Published is the current value of a part.
type Published struct {
	Coll, Name string
	Value      []byte
}

// All yields the current parts of a collection whose names begin with prefix, ordered by name; of all collections if coll is "". Before the
// first one, this process has caught up with every generation of the index that a part was built from.
func (p Parts) All(ctx context.Context, coll, prefix string) iter.Seq2[Published, error] {
	return func(yield func(Published, error) bool) {
		all, err := p.read(ctx, coll, prefix)
		if err == nil && len(all) > 0 {
			err = p.x.catchUp(ctx)
		}
		if err != nil {
			yield(Published{}, err)
			return
		}
		for _, p := range all {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func (p Parts) read(ctx context.Context, coll, prefix string) (out []Published, err error) {
	from := []byte{publishedPrefix}
	if coll != "" {
		from = append(collKey(publishedPrefix, coll), prefix...)
	}
	err = p.x.store.View(ctx, func(snap kv.Snapshot) error {
		out = nil
		return kv.Each(snap, kv.Range{Prefix: from}, from, func(cur kv.Cursor) error {
			of, name, ok := bytes.Cut(cur.Key()[1:], []byte{0})
			if !ok {
				return errors.New("index: what is published has no valid name")
			}
			p := Published{Coll: string(of), Name: string(name)}
			err := cur.Value(func(v []byte) error { p.Value = bytes.Clone(v); return nil })
			out = append(out, p)
			return err
		})
	})
	return out, err
}

// Follow calls changed at once, and soon after any process has published, until ctx ends or changed fails. If no other process can use the
// store, it returns at once.
func (p Parts) Follow(ctx context.Context, changed func() error) error {
	shared, ok := p.x.store.(kv.Shared)
	if !ok {
		return nil
	}
	return shared.Watch(ctx, publicationsKey.key(), changed)
}

// Shards returns the number of shards of this index's searches. The first call stores usual; afterwards all processes get that number.
func (p Parts) Shards(ctx context.Context, usual int) (n int, err error) {
	err = p.x.store.View(ctx, func(snap kv.Snapshot) error {
		return snap.Get(shardsKey.key(), func(v []byte) error { return readShards(&n, v) })
	})
	if !errors.Is(err, kv.ErrNoKey) {
		return n, err
	}
	err = p.x.store.Update(ctx, func(txn kv.Txn) error {
		v, err := txn.Get(shardsKey.key())
		if errors.Is(err, kv.ErrNoKey) {
			n = usual
			return txn.Set(shardsKey.key(), binary.BigEndian.AppendUint64(nil, uint64(usual)))
		}
		if err != nil {
			return err
		}
		return readShards(&n, v)
	})
	return n, err
}

func readShards(n *int, value []byte) error {
	number, err := number(value, nil)
	if err == nil && (number == 0 || number > maxShards) {
		err = errors.New("index: the number of the search's shards makes no sense")
	}
	*n = int(number)
	return err
}

// maxShards bounds the stored number of shards, which is far more than anybody needs.
const maxShards = 1 << 12
