package kvtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Run tests that the stores that open returns keep the promises of package kv. open returns an empty store. reopen closes a store and opens
// it again with its content; it is nil for stores that keep nothing.
func Run(t *testing.T, open func(t *testing.T) kv.Store, reopen func(t *testing.T, s kv.Store) kv.Store) {
	for name, test := range map[string]func(*testing.T, kv.Store){
		"gets":                            gets,
		"many gets at once":               manyGets,
		"cursors":                         cursors,
		"cursors in a large range":        largeRange,
		"a cursor is moved about":         movedCursor,
		"snapshots stay as they were":     isolation,
		"prefetched reads":                prefetched,
		"batches":                         batches,
		"a batch is used once":            usedUp,
		"batches side by side":            sideBySide,
		"large and empty values":          values,
		"updates":                         updates,
		"an update that fails is none":    failedUpdate,
		"updates count":                   counting,
		"errors of a caller come back":    callersErrors,
		"an ended context is reported":    endedContext,
		"a context that ends on the way":  endingContext,
		"readers see whole updates":       wholeUpdates,
		"what is watched is told":         watching,
		"many keys are deleted and found": deleting,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			defer s.Close()
			test(t, s)
		})
	}
	if reopen != nil {
		t.Run("what is written is there after opening again", func(t *testing.T) { reopening(t, open(t), reopen) })
	}
}

// put writes pairs of key and value.
func put(t *testing.T, s kv.Store, pairs ...string) {
	t.Helper()
	b := s.Batch(t.Context())
	for i := 0; i < len(pairs); i += 2 {
		check(t, b.Set([]byte(pairs[i]), []byte(pairs[i+1])))
	}
	check(t, b.Flush())
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// get returns a value, or "-" if there is none.
func get(t *testing.T, s kv.Store, key string) (value string) {
	t.Helper()
	check(t, s.View(t.Context(), func(snap kv.Snapshot) error { value = getIn(t, snap, key); return nil }))
	return value
}

func getIn(t *testing.T, snap kv.Snapshot, key string) (value string) {
	t.Helper()
	err := snap.Get([]byte(key), func(v []byte) error { value = string(v); return nil })
	if errors.Is(err, kv.ErrNoKey) {
		return "-"
	}
	check(t, err)
	return value
}

// walk returns the keys of a range, starting at from.
func walk(t *testing.T, s kv.Store, r kv.Range, from string) (keys []string) {
	t.Helper()
	check(t, s.View(t.Context(), func(snap kv.Snapshot) error {
		cur := snap.Cursor(r)
		defer cur.Close()
		for cur.Seek([]byte(from)); cur.Valid(); cur.Next() {
			keys = append(keys, string(cur.Key()))
		}
		return cur.Err()
	}))
	return keys
}

func gets(t *testing.T, s kv.Store) {
	if got := get(t, s, "a"); got != "-" {
		t.Errorf("an empty store has %q", got)
	}
	put(t, s, "a", "1", "ab", "2", "\x00", "zero", "\xff\xff", "end", "a\x00b", "3")
	for key, want := range map[string]string{
		"a": "1", "ab": "2", "\x00": "zero", "\xff\xff": "end", "a\x00b": "3", "b": "-",
		"a\x00": "-", "\xff": "-",
	} {
		if got := get(t, s, key); got != want {
			t.Errorf("%q: got %q, want %q", key, got, want)
		}
	}
}

func manyGets(t *testing.T, s kv.Store) {
	put(t, s, "a", "1", "b", "2", "c", "")
	var got []string
	check(t, s.View(t.Context(), func(snap kv.Snapshot) error {
		if err := snap.GetMany(nil, func(int, []byte) error { t.Error("none were asked for"); return nil }); err != nil {
			return err
		}
		keys := [][]byte{[]byte("c"), []byte("nothing"), []byte("a"), []byte("b"), []byte("a")}
		return snap.GetMany(keys, func(i int, v []byte) error {
			got = append(got, fmt.Sprintf("%d%s=%s", i, keys[i], v))
			return nil
		})
	}))
	if want := []string{"0c=", "2a=1", "3b=2", "4a=1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func cursors(t *testing.T, s kv.Store) {
	all := []string{
		"a", "b", "b\x00", "ba", "bm", "b\xff", "b\xff\xff", "c", "d\x9f\xda", "d\x9f\xdaa", "d\x9f\xdb", "d\xa0", "\xff", "\xff\xff",
	}
	downwards := slices.Clone(all)
	slices.Reverse(downwards)
	for _, i := range rand.Perm(len(all)) {
		put(t, s, all[i], "")
	}
	for _, c := range []struct {
		name   string
		prefix string
		from   string
		down   bool
		want   []string
	}{
		{"all", "", "", false, all},
		{"a prefix", "b", "b", false, []string{"b", "b\x00", "ba", "bm", "b\xff", "b\xff\xff"}},
		{"from a key that is there", "b", "ba", false, []string{"ba", "bm", "b\xff", "b\xff\xff"}},
		{"from a key that is not", "b", "bb", false, []string{"bm", "b\xff", "b\xff\xff"}},
		{"from behind the prefix", "b", "c", false, nil},
		{"the last prefix", "\xff", "\xff", false, []string{"\xff", "\xff\xff"}},
		{"a prefix of nothing", "bz", "bz", false, nil},
		{"a prefix that is no UTF-8", "d\x9f\xda", "d\x9f\xda", false, []string{"d\x9f\xda", "d\x9f\xdaa"}},
		{"downwards, a prefix that is no UTF-8", "d\x9f\xda", "d\x9f\xda\xff", true, []string{"d\x9f\xdaa", "d\x9f\xda"}},
		{"downwards", "b", "b\xff\xff\xff", true, []string{"b\xff\xff", "b\xff", "bm", "ba", "b\x00", "b"}},
		{"downwards from a key that is there", "b", "bm", true, []string{"bm", "ba", "b\x00", "b"}},
		{"downwards from a key that is not", "b", "bb", true, []string{"ba", "b\x00", "b"}},
		{"downwards from the first", "b", "b", true, []string{"b"}},
		{"downwards, all", "", "\xff\xff\xff", true, downwards},
	} {
		for _, keysOnly := range []bool{false, true} {
			r := kv.Range{Prefix: []byte(c.prefix), Reverse: c.down, KeysOnly: keysOnly}
			if got := walk(t, s, r, c.from); !slices.Equal(got, c.want) {
				t.Errorf("%s: got %q, want %q", c.name, got, c.want)
			}
		}
	}
}

// many is more than an engine fetches or writes at a time.
const many = 20_000

func numbered(i int) []byte { return binary.BigEndian.AppendUint32([]byte("n"), uint32(i)) }

func fillMany(t *testing.T, s kv.Store) {
	t.Helper()
	b := s.Batch(t.Context())
	for i := range many {
		check(t, b.Set(numbered(i), binary.BigEndian.AppendUint32(nil, uint32(i*7))))
	}
	check(t, b.Flush())
	put(t, s, "m", "", "o", "")
}

func largeRange(t *testing.T, s kv.Store) {
	fillMany(t, s)
	for _, down := range []bool{false, true} {
		n := 0
		check(t, s.View(t.Context(), func(snap kv.Snapshot) error {
			cur := snap.Cursor(kv.Range{Prefix: []byte("n"), Reverse: down})
			defer cur.Close()
			from := []byte("n")
			if down {
				from = []byte("n\xff\xff\xff\xff\xff")
			}
			for cur.Seek(from); cur.Valid(); cur.Next() {
				want := n
				if down {
					want = many - 1 - n
				}
				if !bytes.Equal(cur.Key(), numbered(want)) {
					t.Fatalf("key %d is %q", want, cur.Key())
				}
				check(t, cur.Value(func(v []byte) error {
					if binary.BigEndian.Uint32(v) != uint32(want*7) {
						t.Fatalf("value %d is %x", want, v)
					}
					return nil
				}))
				n++
			}
			return cur.Err()
		}))
		if n != many {
			t.Errorf("downwards %v: %d keys, want %d", down, n, many)
		}
	}
}

func movedCursor(t *testing.T, s kv.Store) {
	put(t, s, "a", "1", "c", "3", "e", "5", "g", "7")
	check(t, s.View(t.Context(), func(snap kv.Snapshot) error {
		one, two := snap.Cursor(kv.Range{}), snap.Cursor(kv.Range{Reverse: true})
		defer one.Close()
		defer two.Close()
		at := func(c kv.Cursor) string {
			if !c.Valid() {
				return "-"
			}
			return string(c.Key())
		}
		var got []string
		for _, move := range []func(){
			func() { one.Seek([]byte("c")) },
			func() { two.Seek([]byte("f")) },
			func() { one.Next() },
			func() { two.Next() },
			func() { one.Seek([]byte("b")) },
			func() { two.Seek([]byte("g")) },
			func() { one.Seek([]byte("h")) },
			func() { two.Seek([]byte("A")) },
			func() { one.Seek([]byte("a")) },
			func() { two.Seek([]byte("a")) },
		} {
			move()
			got = append(got, at(one)+at(two))
		}
		if want := []string{"c-", "ce", "ee", "ec", "cc", "cg", "-g", "--", "a-", "aa"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		return errors.Join(one.Err(), two.Err())
	}))
}

func isolation(t *testing.T, s kv.Store) {
	put(t, s, "a", "1", "b", "2", "d", "4")
	check(t, s.View(t.Context(), func(snap kv.Snapshot) error {
		cur := snap.Cursor(kv.Range{})
		defer cur.Close()
		cur.Seek([]byte("a"))
		b := s.Batch(t.Context())
		check(t, b.Set([]byte("a"), []byte("new")))
		check(t, b.Set([]byte("c"), []byte("new")))
		check(t, b.Delete([]byte("b")))
		check(t, b.Flush())
		check(t, s.Update(t.Context(), func(txn kv.Txn) error { return txn.Set([]byte("u"), nil) }))
		var keys strings.Builder
		for ; cur.Valid(); cur.Next() {
			keys.WriteString(string(cur.Key()))
		}
		if got := getIn(t, snap, "a") + getIn(t, snap, "b") + getIn(t, snap, "c") + getIn(t, snap, "u"); got != "12--" || keys.String() != "abd" {
			t.Errorf("the snapshot shows %q, its cursor %q", got, keys.String())
		}
		return cur.Err()
	}))
	if got := get(t, s, "a") + get(t, s, "b") + get(t, s, "c"); got != "new-new" {
		t.Errorf("the next one shows %q", got)
	}
}

func batches(t *testing.T, s kv.Store) {
	put(t, s, "gone", "1", "kept", "1")
	b := s.Batch(t.Context())
	check(t, b.Set([]byte("twice"), []byte("first")))
	check(t, b.Set([]byte("twice"), []byte("second")))
	check(t, b.Set([]byte("back"), []byte("1")))
	check(t, b.Delete([]byte("back")))
	check(t, b.Delete([]byte("gone")))
	check(t, b.Delete([]byte("never")))
	check(t, b.Set([]byte("gone again"), nil))
	check(t, b.Flush())
	b.Cancel()
	if got := walk(t, s, kv.Range{}, ""); !slices.Equal(got, []string{"gone again", "kept", "twice"}) {
		t.Errorf("got %q", got)
	}
	if got := get(t, s, "twice"); got != "second" {
		t.Errorf("the later write is not there, but %q", got)
	}
	canceled := s.Batch(t.Context())
	check(t, canceled.Set([]byte("canceled"), nil))
	canceled.Cancel()
	if got := get(t, s, "canceled"); got != "-" {
		t.Error("a small batch that was canceled is there")
	}
	check(t, s.Batch(t.Context()).Flush()) // an empty one
	check(t, s.Sync(t.Context()))
}

func usedUp(t *testing.T, s kv.Store) {
	for name, end := range map[string]func(kv.Batch){
		"flushed":  func(b kv.Batch) { check(t, b.Flush()) },
		"canceled": func(b kv.Batch) { b.Cancel() },
	} {
		b := s.Batch(t.Context())
		check(t, b.Set([]byte("a"), nil))
		end(b)
		for what, err := range map[string]error{"Set": b.Set([]byte("b"), nil), "Delete": b.Delete([]byte("a")), "Flush": b.Flush()} {
			if !errors.Is(err, kv.ErrUsedUp) {
				t.Errorf("%s, then %s: got %v", name, what, err)
			}
		}
		b.Cancel()
	}
	if got := walk(t, s, kv.Range{}, ""); !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q", got)
	}
}

func sideBySide(t *testing.T, s kv.Store) {
	const writers, each = 8, 500
	shared := s.Batch(t.Context())
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			private := s.Batch(t.Context())
			defer private.Cancel()
			for i := range each {
				for _, err := range []error{
					private.Set(fmt.Appendf(nil, "own/%d/%03d", w, i), nil), shared.Set(fmt.Appendf(nil, "shared/%d/%03d", w, i), nil),
				} {
					if err != nil {
						t.Error(err)
					}
				}
				if i%100 == 0 {
					walk(t, s, kv.Range{Prefix: []byte("own/")}, "own/")
				}
			}
			if err := private.Flush(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	check(t, shared.Flush())
	for _, prefix := range []string{"own/", "shared/"} {
		if n := len(walk(t, s, kv.Range{Prefix: []byte(prefix)}, prefix)); n != writers*each {
			t.Errorf("%s: %d keys, want %d", prefix, n, writers*each)
		}
	}
}

func values(t *testing.T, s kv.Store) {
	key := bytes.Repeat([]byte("k"), 60_000) // as long as the index's keys may be
	for _, n := range []int{0, 1, 1<<16 - 1, 1 << 16, 1<<16 + 1, 1<<20 - 1, 1 << 20, 1<<20 + 1, 3 << 20} {
		want := bytes.Repeat([]byte{0, 1, 0xff}, n/3+1)[:n]
		b := s.Batch(t.Context())
		if err := b.Set(key, want); n >= 1<<20 && errors.Is(err, kv.ErrTooLarge) {
			b.Cancel()
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		check(t, b.Flush())
		if got := get(t, s, string(key)); got != string(want) {
			t.Errorf("a value of %d bytes comes back with %d", n, len(got))
		}
	}
}

func updates(t *testing.T, s kv.Store) {
	check(t, s.Update(t.Context(), func(txn kv.Txn) error {
		if _, err := txn.Get([]byte("a")); !errors.Is(err, kv.ErrNoKey) {
			t.Errorf("got %v", err)
		}
		check(t, txn.Set([]byte("a"), []byte("1")))
		check(t, txn.Set([]byte("b"), []byte("2")))
		v, err := txn.Get([]byte("a"))
		if string(v) != "1" {
			t.Errorf("it doesn't see its own write, but %q", v)
		}
		return err
	}))
	check(t, s.Update(t.Context(), func(txn kv.Txn) error {
		check(t, txn.Delete([]byte("a")))
		if _, err := txn.Get([]byte("a")); !errors.Is(err, kv.ErrNoKey) {
			t.Errorf("it sees what it deleted: %v", err)
		}
		v, err := txn.Get([]byte("b"))
		check(t, txn.Set([]byte("c"), append(v, '!')))
		return err
	}))
	if got := get(t, s, "a") + get(t, s, "b") + get(t, s, "c"); got != "-22!" {
		t.Errorf("got %q", got)
	}
}

const errCaller = sentinel.Error("the caller's")

func failedUpdate(t *testing.T, s kv.Store) {
	put(t, s, "a", "1")
	err := s.Update(t.Context(), func(txn kv.Txn) error {
		check(t, txn.Set([]byte("b"), nil))
		check(t, txn.Delete([]byte("a")))
		return errCaller
	})
	if !errors.Is(err, errCaller) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = s.Update(ctx, func(txn kv.Txn) error {
		cancel()
		return txn.Set([]byte("b"), nil)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if got := get(t, s, "a") + get(t, s, "b"); got != "1-" {
		t.Errorf("something of it is there: %q", got)
	}
}

// counting tests that concurrent updates assign distinct numbers, as the index assigns IDs.
func counting(t *testing.T, s kv.Store) {
	const writers, each = 8, 25
	var wg sync.WaitGroup
	var mu sync.Mutex
	given := map[uint64]int{}
	for range writers {
		wg.Go(func() {
			for range each {
				var id uint64
				err := s.Update(t.Context(), func(txn kv.Txn) error {
					v, err := txn.Get([]byte("last"))
					if id = 1; err == nil {
						id = binary.BigEndian.Uint64(v) + 1
					} else if !errors.Is(err, kv.ErrNoKey) {
						return err
					}
					return txn.Set([]byte("last"), binary.BigEndian.AppendUint64(nil, id))
				})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				given[id]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for id := range uint64(writers * each) {
		if given[id+1] != 1 {
			t.Errorf("%d was given %d times", id+1, given[id+1])
		}
	}
}

// wholeUpdates tests that readers always see a constant sum of two keys that updates change together.
func wholeUpdates(t *testing.T, s kv.Store) {
	put(t, s, "bystander", "")
	move := func(n byte) error {
		return s.Update(t.Context(), func(txn kv.Txn) error {
			return errors.Join(txn.Set([]byte("x"), []byte{n}), txn.Set([]byte("y"), []byte{100 - n}))
		})
	}
	check(t, move(0))
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := range byte(100) {
			if err := move(n); err != nil {
				t.Error(err)
			}
		}
	})
	for range 4 {
		wg.Go(func() {
			for range 100 {
				err := s.View(t.Context(), func(snap kv.Snapshot) error {
					sum := 0
					err := snap.GetMany([][]byte{[]byte("x"), []byte("y")}, func(_ int, v []byte) error { sum += int(v[0]); return nil })
					if sum != 100 && err == nil {
						t.Errorf("the sum is %d", sum)
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func callersErrors(t *testing.T, s kv.Store) {
	put(t, s, "a", "1")
	fail := func([]byte) error { return errCaller }
	for name, f := range map[string]func(kv.Snapshot) error{
		"View": func(kv.Snapshot) error { return errCaller },
		"Get":  func(snap kv.Snapshot) error { return snap.Get([]byte("a"), fail) },
		"GetMany": func(snap kv.Snapshot) error {
			return snap.GetMany([][]byte{[]byte("a")}, func(int, []byte) error { return errCaller })
		},
		"Value": func(snap kv.Snapshot) error {
			cur := snap.Cursor(kv.Range{})
			defer cur.Close()
			cur.Seek([]byte("a"))
			return cur.Value(fail)
		},
	} {
		if err := s.View(t.Context(), f); err != errCaller {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func endedContext(t *testing.T, s kv.Store) {
	put(t, s, "a", "1")
	ctx, cancel := context.WithCancel(t.Context())
	batch := s.Batch(ctx)
	check(t, batch.Set([]byte("b"), nil))
	cancel()
	for name, err := range map[string]error{
		"View":   s.View(ctx, func(kv.Snapshot) error { t.Error("a view is given"); return nil }),
		"Update": s.Update(ctx, func(txn kv.Txn) error { return txn.Set([]byte("b"), nil) }),
		"Sync":   s.Sync(ctx),
		"Flush":  batch.Flush(),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	batch.Cancel()
	if got := get(t, s, "b"); got != "-" {
		t.Error("it was written nevertheless")
	}
}

func endingContext(t *testing.T, s kv.Store) {
	fillMany(t, s)
	for name, f := range map[string]func(kv.Snapshot) error{
		"Get": func(snap kv.Snapshot) error { return snap.Get([]byte("m"), func([]byte) error { return nil }) },
		"GetMany": func(snap kv.Snapshot) error {
			return snap.GetMany([][]byte{[]byte("m")}, func(int, []byte) error { return nil })
		},
		"Seek": func(snap kv.Snapshot) error {
			cur := snap.Cursor(kv.Range{})
			defer cur.Close()
			cur.Seek([]byte("m"))
			if cur.Valid() {
				t.Error("a cursor is valid after the end")
			}
			return cur.Err()
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := s.View(ctx, func(snap kv.Snapshot) error { cancel(); return f(snap) })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	steps := 0
	err := s.View(ctx, func(snap kv.Snapshot) error {
		cur := snap.Cursor(kv.Range{Prefix: []byte("n")})
		defer cur.Close()
		for cur.Seek([]byte("n")); cur.Valid(); cur.Next() {
			if steps++; steps == 10 {
				cancel()
			}
		}
		return cur.Err()
	})
	if !errors.Is(err, context.Canceled) || steps > many/2 {
		t.Errorf("a walk ended after %d steps with %v", steps, err)
	}
}

func watching(t *testing.T, s kv.Store) {
	shared, ok := s.(kv.Shared)
	if !ok {
		t.Log("this store belongs to one process, which has nobody to watch")
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	values, ended := make(chan string), make(chan error)
	go func() {
		ended <- shared.Watch(ctx, []byte("key"), func() error { values <- get(t, s, "key"); return nil })
	}()
	await := func(want string) {
		t.Helper()
		for {
			select {
			case got := <-values:
				if got == want {
					return
				}
			case <-time.After(30 * time.Second):
				t.Fatalf("%q was not told", want)
			}
		}
	}
	await("-")
	for _, value := range []string{"1", "2", "3"} {
		check(t, s.Update(t.Context(), func(txn kv.Txn) error { return txn.Set([]byte("key"), []byte(value)) }))
		await(value)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := shared.Watch(t.Context(), []byte("key"), func() error { return errCaller }); !errors.Is(err, errCaller) {
		t.Errorf("got %v", err)
	}
}

func deleting(t *testing.T, s kv.Store) {
	fillMany(t, s)
	b := s.Batch(t.Context())
	for i := range many {
		if i%1000 != 0 {
			check(t, b.Delete(numbered(i)))
		}
	}
	check(t, b.Flush())
	got := walk(t, s, kv.Range{Prefix: []byte("n")}, "n")
	if len(got) != many/1000 || got[3] != string(numbered(3000)) {
		t.Errorf("%d keys are left, want %d", len(got), many/1000)
	}
	if got := walk(t, s, kv.Range{Prefix: []byte("n"), Reverse: true}, string(numbered(2999))); len(got) != 3 {
		t.Errorf("downwards %d keys are left, want 3", len(got))
	}
}

func reopening(t *testing.T, s kv.Store, reopen func(*testing.T, kv.Store) kv.Store) {
	put(t, s, "a", "1", "b", "2", "large", string(bytes.Repeat([]byte("x"), 1<<17)))
	check(t, s.Update(t.Context(), func(txn kv.Txn) error { return txn.Set([]byte("u"), []byte("3")) }))
	check(t, s.Sync(t.Context()))
	for range 2 {
		s = reopen(t, s)
		if got := get(t, s, "a") + get(t, s, "b") + get(t, s, "u"); got != "123" || len(get(t, s, "large")) != 1<<17 {
			t.Errorf("got %q", got)
		}
	}
	check(t, s.Close())
}
