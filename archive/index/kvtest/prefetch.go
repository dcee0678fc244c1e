package kvtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
)

// prefetched compares random reads of random contents in snapshots with and without Prefetch. What is announced may be right, too short, or
// useless.
func prefetched(t *testing.T, s kv.Store) {
	rnd := rand.New(rand.NewPCG(1, 7))
	key := func() []byte { // some are prefixes of others, and some follow the end of a prefix
		k := []byte("ka")[:1+rnd.IntN(2)]
		for range rnd.IntN(4) {
			k = append(k, "\x00ab\xff"[rnd.IntN(4)])
		}
		return k
	}
	b := s.Batch(t.Context())
	for range 120 {
		check(t, b.Set(key(), bytes.Repeat([]byte{byte(rnd.IntN(256))}, rnd.IntN(40))))
	}
	check(t, b.Flush())
	for round := range 60 {
		var keys [][]byte
		for range rnd.IntN(5) {
			keys = append(keys, key())
		}
		var said []kv.PrefetchRange
		for range rnd.IntN(4) {
			prefix := key()
			from := slices.Concat(prefix, [][]byte{nil, {0}, {'a'}, {'b', 'a'}, {0xff, 0xff, 0xff, 0xff}}[rnd.IntN(5)])
			r := kv.Range{Prefix: prefix, Reverse: rnd.IntN(2) > 0, KeysOnly: rnd.IntN(3) == 0, Rows: 1 + rnd.IntN(12)}
			said = append(said, kv.PrefetchRange{Range: r, From: from})
		}
		var asks []func(kv.Snapshot) string
		for range 8 {
			asks = append(asks, anyQuestion(t, rnd, keys, said, key))
		}
		answers := func(ahead bool) (all []string) {
			check(t, s.View(t.Context(), func(snap kv.Snapshot) error {
				if ahead {
					snap.Prefetch(keys, said)
				}
				for _, ask := range asks {
					all = append(all, ask(snap))
				}
				return nil
			}))
			return all
		}
		if got, want := answers(true), answers(false); !slices.Equal(got, want) {
			t.Fatalf("round %d, with %q and %v prefetched:\n got %q\nwant %q", round, keys, said, got, want)
		}
	}
	prefetchedAfterTheEnd(t, s, []byte("k"))
}

// anyQuestion returns a random read, of announced keys and ranges or of others.
func anyQuestion(
	t *testing.T, rnd *rand.Rand, keys [][]byte, said []kv.PrefetchRange, key func() []byte,
) func(kv.Snapshot) string {
	some := slices.Clone(keys)
	if rnd.IntN(3) == 0 {
		some = append(some, key())
	}
	switch rnd.IntN(4) {
	case 0:
		return func(snap kv.Snapshot) (out string) {
			check(t, snap.GetMany(some, func(i int, v []byte) error { out += fmt.Sprintf("%d=%x ", i, v); return nil }))
			return out
		}
	case 1:
		one := key()
		if len(some) > 0 {
			one = some[0]
		}
		return func(snap kv.Snapshot) string { return getIn(t, snap, string(one)) }
	}
	r, from, steps := kv.Range{Prefix: key(), Reverse: rnd.IntN(2) > 0}, key(), rnd.IntN(20)
	if n := rnd.IntN(len(said) + 1); n < len(said) {
		r, from = said[n].Range, said[n].From
		if rnd.IntN(2) > 0 {
			from = append(slices.Clone(r.Prefix), key()[1:]...)
		}
	}
	back := rnd.IntN(2) > 0
	return func(snap kv.Snapshot) (out string) {
		cur := snap.Cursor(r)
		defer cur.Close()
		walk := func(most int) {
			for cur.Seek(from); cur.Valid() && most > 0; cur.Next() {
				most--
				out += fmt.Sprintf("%x", cur.Key())
				if !r.KeysOnly {
					check(t, cur.Value(func(v []byte) error { out += fmt.Sprintf("=%x", v); return nil }))
				}
				out += " "
			}
			check(t, cur.Err())
		}
		if walk(steps); back {
			walk(100)
		}
		return out
	}
}

// prefetchedAfterTheEnd tests that announced reads fail after the context has ended.
func prefetchedAfterTheEnd(t *testing.T, s kv.Store, key []byte) {
	for _, fetched := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		check(t, s.View(ctx, func(snap kv.Snapshot) error {
			r := kv.Range{Prefix: key, Rows: 5}
			snap.Prefetch([][]byte{key}, []kv.PrefetchRange{{Range: r, From: key}})
			if fetched {
				check(t, snap.GetMany([][]byte{key}, func(int, []byte) error { return nil }))
			}
			cancel()
			if err := snap.Get(key, func([]byte) error { return nil }); !errors.Is(err, context.Canceled) {
				t.Errorf("a value, fetched %t: %v", fetched, err)
			}
			cur := snap.Cursor(r)
			defer cur.Close()
			if cur.Seek(key); cur.Valid() || !errors.Is(cur.Err(), context.Canceled) {
				t.Errorf("a range, fetched %t: valid %t, %v", fetched, cur.Valid(), cur.Err())
			}
			return nil
		}))
	}
}
