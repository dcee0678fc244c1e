package index

import (
	"errors"
	"maps"
	"testing"

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
			if err := Restore(t.Context(), s, entriesOf(all, nil)); err != nil {
				t.Fatalf("again: %v", err)
			}
			if got := dump(t, first); !maps.Equal(got, all) {
				t.Errorf("%d entries were restored, want %d", len(got), len(all))
			}
			if x, err := New(t.Context(), s); err != nil || len(x.Files()) != 1 {
				t.Errorf("what was restored: %v", err)
			}
			if err := Restore(t.Context(), s, entriesOf(all, nil)); !errors.Is(err, ErrNotEmpty) {
				t.Errorf("into what has entries: %v", err)
			}
			if got := dump(t, first); !maps.Equal(got, all) {
				t.Errorf("%d entries are left", len(got))
			}
		})
	}
}

// Of two that restore into one store at once the one that began last succeeds, and the other one leaves it alone.
func TestTwoRestoreAtOnce(t *testing.T) {
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
			if got := dump(t, openOn(t, s)); !maps.Equal(got, dump(t, two)) {
				t.Errorf("%d entries are there, want those of the second", len(got))
			}
		})
	}
}
