package index

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
)

// dump returns all entries of an index.
func dump(t *testing.T, x *Index) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := x.Dump(t.Context(), func(key, value []byte) error { all[string(key)] = string(value); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// inCommon returns the entries that an index and its copy have in common.
func inCommon(all map[string]string) map[string]string {
	all = maps.Clone(all)
	for _, key := range [][]byte{identityKey.key(), holdersKey.key()} {
		delete(all, string(key))
	}
	return all
}

func entriesOf(all map[string]string, fails error) func(put func(key, value []byte) error) error {
	return func(put func(key, value []byte) error) error {
		n := 0
		for k, v := range all {
			if n++; fails != nil && n > len(all)/2 {
				return fails
			}
			if err := put([]byte(k), []byte(v)); err != nil {
				return err
			}
		}
		return nil
	}
}

// A store that others may open has the whole index or can't be opened, and what it has isn't mixed with another.
func TestRestoringIsWholeOrNotSeen(t *testing.T) {
	t.Parallel()
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			from := openOn(t, open(t))
			put(t, from, "a.warc.gz", cdx.Capture{URL: "http://a.example/"}, cdx.Capture{URL: "http://b.example/"})
			all := dump(t, from)

			s := open(t)
			first := openOn(t, s) // facts of itself don't make a store one that has entries
			broken := errors.New("broken")
			if err := Restore(t.Context(), s, entriesOf(all, broken)); !errors.Is(err, broken) {
				t.Fatal(err)
			}
			if _, err := New(t.Context(), s); !errors.Is(err, ErrHalf) {
				t.Errorf("half of it can be opened: %v", err)
			}
			stray := s.Batch(t.Context())
			if err := errors.Join(stray.Set(captureKey(capturePrefix, "web", &cdx.Capture{Key: "x"}), nil), stray.Flush()); err != nil {
				t.Fatal(err)
			}
			if err := Restore(t.Context(), s, entriesOf(all, nil)); err != nil {
				t.Fatalf("again: %v", err)
			}
			got := dump(t, first)
			if !maps.Equal(inCommon(got), inCommon(all)) {
				t.Errorf("%d entries were restored of %d", len(got), len(all))
			}
			if x, err := New(t.Context(), s); err != nil || len(x.Files()) != 1 {
				t.Errorf("what was restored: %v", err)
			}
			if err := Restore(t.Context(), s, entriesOf(all, nil)); !errors.Is(err, ErrNotEmpty) {
				t.Errorf("into what has entries: %v", err)
			}
			if again := dump(t, first); len(again) != len(got) {
				t.Errorf("%d entries are left", len(again))
			}
		})
	}
}

// Of two that restore into one store at once the one that began last succeeds, and the other one leaves it alone.
func TestTwoRestoreAtOnce(t *testing.T) {
	t.Parallel()
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			one, two := openOn(t, open(t)), openOn(t, open(t))
			put(t, one, "a.warc.gz", cdx.Capture{URL: "http://a.example/"})
			put(t, two, "b.warc.gz", cdx.Capture{URL: "http://b.example/"})
			s := open(t)
			inner := false
			err := Restore(t.Context(), s, func(put func(key, value []byte) error) error {
				err := entriesOf(dump(t, one), nil)(put)
				if !inner {
					inner = true
					err = errors.Join(err, Restore(t.Context(), s, entriesOf(dump(t, two), nil)))
				}
				return err
			})
			if err == nil {
				t.Error("the first doesn't notice the second")
			}
			got, want := dump(t, openOn(t, s)), dump(t, two)
			if !maps.Equal(inCommon(got), inCommon(want)) {
				t.Errorf("%d entries are there, want those of the second", len(got))
			}
		})
	}
}

// More entries than wait in memory are all restored, and none is written any more once another restore has begun.
func TestLargeIndexesAreRestoredInParts(t *testing.T) {
	t.Parallel()
	from := openOn(t, kvtest.NewMemory())
	put(t, from, "a.warc.gz", cdx.Capture{URL: "http://a.example/"})
	all := dump(t, from)
	for _, name := range []string{"b", "c", "d", "e"} {
		all[string(captureKey(capturePrefix, "web", &cdx.Capture{Key: name}))] = strings.Repeat(name, fillAtOnce/3)
	}
	s := kvtest.NewMemory()
	if err := Restore(t.Context(), s, entriesOf(all, nil)); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, openOn(t, s)); !maps.Equal(inCommon(got), inCommon(all)) {
		t.Errorf("%d entries were restored of %d", len(got), len(all))
	}

	s = kvtest.NewMemory()
	err := Restore(t.Context(), s, func(put func(key, value []byte) error) error {
		if err := entriesOf(dump(t, from), nil)(put); err != nil {
			return err
		}
		if err := Restore(t.Context(), s, entriesOf(dump(t, from), nil)); err != nil {
			return err
		}
		if err := put([]byte("one more"), make([]byte, fillAtOnce)); err == nil {
			t.Error("a write after another restore has begun says nothing of it")
		}
		return nil
	})
	if err == nil {
		t.Error("two are restored")
	}
}

// A copy has nothing of those who work on the original.
func TestACopyIsAnIndexByItself(t *testing.T) {
	t.Parallel()
	one, _ := pair(t)
	put(t, one, "a.warc.gz", cdx.Capture{URL: "http://a.example/"})
	file, err := one.Claim(t.Context(), "web", "b.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Release()
	held, err := one.workers.holdAsWriter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer held.release()
	all := dump(t, one)
	for name, restore := range map[string]func(s kv.Store) error{
		"restored": func(s kv.Store) error { return Restore(t.Context(), s, entriesOf(all, nil)) },
		"filled": func(s kv.Store) error {
			put, end := Fill(t.Context(), s)
			return errors.Join(entriesOf(all, nil)(put), end())
		},
	} {
		s := &syncing{Memory: kvtest.NewMemory()}
		if err := restore(s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !s.synced {
			t.Errorf("%s: a loss of power may lose it", name)
		}
		x := openOn(t, s)
		if before, after := one.Identity(), x.Identity(); before == after {
			t.Errorf("%s: identity %q, was %q", name, after, before)
		}
		if c, err := x.Claim(t.Context(), "web", "b.warc.gz"); err != nil {
			t.Errorf("%s: a file that is indexed into the original is claimed: %v", name, err)
		} else {
			c.Release()
		}
		sweeping, err := x.workers.holdAsSweep(t.Context())
		if err != nil {
			t.Errorf("%s: who works on the original is in the way: %v", name, err)
		}
		sweeping.release()
		if len(x.Files()) != 1 {
			t.Errorf("%s: %d files", name, len(x.Files()))
		}
	}
}

// syncing is a store that notes whether it was synced.
type syncing struct {
	*kvtest.Memory
	synced bool
}

func (s *syncing) Sync(context.Context) error { s.synced = true; return nil }
