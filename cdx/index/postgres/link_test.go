package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/internal/database"
)

// A connection that ends in the middle of an answer ends the reading: what was given already is not given again.
func TestNoAnswerIsGivenTwice(t *testing.T) {
	const keys = 300
	link, url := database.NewLink(t, database.Start(t).Database(), 0)
	s, err := Open(context.Background(), url, store.Create)
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
	err = s.View(t.Context(), func(snap store.Snapshot) error {
		return snap.GetMany(names, func(i int, _ []byte) error {
			if len(given) == 0 {
				link.Cut()
			}
			given[i]++
			return nil
		})
	})
	if !errors.Is(err, store.ErrUnavailable) || len(given) == keys {
		t.Errorf("%d of %d values before the end, %v", len(given), keys, err)
	}
	for i, n := range given {
		if n > 1 {
			t.Errorf("value %d was given %d times", i, n)
		}
	}
}
