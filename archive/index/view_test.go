package index

import (
	"context"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// A meddler is a store in which something happens just before the next snapshot is taken.
type meddler struct {
	kv.Store
	before func()
}

func (m *meddler) View(ctx context.Context, f func(kv.Snapshot) error) error {
	if before := m.before; before != nil {
		m.before = nil
		before()
	}
	return m.Store.View(ctx, f)
}

// If a file is hidden, and partly purged, while a reader begins, the reader sees all of its captures or none.
func TestTheFileTableIsOfTheSnapshotsMoment(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		s := &meddler{Store: open(t).store}
		x := openOn(t, s)
		id := put(t, x, "a", page("http://example.com/", 20140101), page("http://example.com/", 20140102))
		span := cdx.Span{Coll: "web"}
		half := page("http://example.com/", 20140101)
		half.Key, half.File = "com,example)/", id
		s.before = func() {
			f, _ := x.File(id)
			f.Done = false
			if _, err := x.PutFile(t.Context(), f); err != nil {
				t.Error(err)
			}
			b := x.store.Batch(t.Context())
			if err := b.Delete(captureKey(capturePrefix, "web", &half)); err != nil {
				t.Error(err)
			}
			if err := b.Flush(); err != nil {
				t.Error(err)
			}
		}
		if n := len(collect(t, x.Captures(t.Context(), span))); n != 0 {
			t.Errorf("%d captures of a file that is being removed", n)
		}
	})
}
