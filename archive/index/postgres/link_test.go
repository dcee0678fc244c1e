package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/testkit/database"
)

// A connection that ends in the middle of an answer ends the reading: what was given already is not given again.
func TestNoAnswerIsGivenTwice(t *testing.T) {
	const keys = 300
	link, url := database.NewLink(t, database.Start(t).Database(), 0)
	s, err := Open(context.Background(), url, kv.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := s.Batch(t.Context())
	var names [][]byte
	for i := range keys {
		names = append(names, fmt.Appendf(nil, "key %03d", i))
		if err := b.Set(names[i], bytes.Repeat([]byte{byte(i), byte(i * 7)}, 100_000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	given := map[int]int{}
	err = s.View(t.Context(), func(snap kv.Snapshot) error {
		return snap.GetMany(names, func(i int, _ []byte) error {
			if len(given) == 0 {
				link.Cut()
			}
			given[i]++
			return nil
		})
	})
	if !errors.Is(err, kv.ErrUnavailable) || len(given) == keys {
		t.Errorf("%d of %d values before the end, %v", len(given), keys, err)
	}
	for i, n := range given {
		if n > 1 {
			t.Errorf("value %d was given %d times", i, n)
		}
	}
}

// What is prefetched comes in one round trip, together with the beginning of the transaction, and from a connection that is not there
// any more it comes from another one.
func TestPrefetchIsOneRoundTrip(t *testing.T) {
	link, url := database.NewLink(t, database.Start(t).Database(), 0)
	s, err := Open(context.Background(), url+"&pool_max_conns=1", kv.Create) // no other connection is opened meanwhile
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := s.Batch(t.Context())
	for i := range 900 {
		if err := b.Set(fmt.Appendf(nil, "key %03d", i), fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	walk := func(snap kv.Snapshot, st kv.PrefetchRange, most int) (n int, last string) {
		cur := snap.Cursor(st.Range)
		defer cur.Close()
		for cur.Seek(st.From); cur.Valid(); cur.Next() {
			if n, last = n+1, string(cur.Key()); n == most {
				break
			}
		}
		if err := cur.Err(); err != nil {
			t.Error(err)
		}
		return n, last
	}
	for i, cut := range []bool{false, false, true} {
		before := int64(0)
		err = s.View(t.Context(), func(snap kv.Snapshot) error {
			if cut {
				link.Cut()
			}
			before = link.Trips()
			up := kv.PrefetchRange{Range: kv.Range{Prefix: []byte("key "), Rows: 700}, From: []byte("key ")}
			down := kv.PrefetchRange{Range: kv.Range{Prefix: []byte("key "), Rows: 3, Reverse: true}, From: []byte("key 5")}
			snap.Prefetch([][]byte{[]byte("key 007"), []byte("key")}, []kv.PrefetchRange{up, down})
			if n, last := walk(snap, up, 700); n != 700 || last != "key 699" {
				t.Errorf("upwards %d, up to %q", n, last)
			}
			if n, last := walk(snap, down, 3); n != 3 || last != "key 497" {
				t.Errorf("downwards %d, up to %q", n, last)
			}
			if err := snap.Get([]byte("key"), nil); !errors.Is(err, kv.ErrNoKey) {
				t.Errorf("a key that isn't there: %v", err)
			}
			return snap.Get([]byte("key 007"), func(v []byte) error {
				if string(v) != "7" {
					t.Errorf("got %q", v)
				}
				return nil
			})
		})
		if err != nil {
			t.Error(err)
		}
		if trips := link.Trips() - before; i == 1 && trips != 1 { // the first opens the connection
			t.Errorf("%d round trips", trips)
		}
	}
}

// Pages grow fourfold, up to so many rows, and to so many bytes as far as the last page tells.
func TestPagesGrow(t *testing.T) {
	for _, tt := range []struct{ size, rows, bytes, want int }{
		{64, 64, 640, 256},
		{64, 0, 0, 256},
		{64, 1, 10, 256},
		{2048, 2048, 2048, 4096},
		{64, 64, 64 << 20, 64},
		{64, 1, 1 << 20, 64},
		{1024, 1024, 1024 * 1000, 1047}, // of 1,000 bytes each, a MiB has so many
	} {
		c := &cursor{size: tt.size, page: &page{rows: make([]row, tt.rows), bytes: make([]byte, tt.bytes)}}
		if c.grow(); c.size != tt.want {
			t.Errorf("%d rows of %d bytes: the next page has %d rows, want %d", tt.rows, tt.bytes, c.size, tt.want)
		}
	}
}
