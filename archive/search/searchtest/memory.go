package searchtest

import (
	"context"
	"log/slog"
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
)

// An Index adapts [search.Index] to the suite. It implements [Engine].
type Index struct{ *search.Index }

func (x *Index) Bring(ctx context.Context, a search.Archive, anew bool) (failed int64, err error) {
	if anew {
		if err := x.Clear(); err != nil {
			return 0, err
		}
	}
	var p search.Progress
	err = x.Update(ctx, a, &p, slog.New(slog.DiscardHandler))
	return p.Failed.Load(), err
}

func inMemory(tb testing.TB, set *fields.Set) *search.Index {
	tb.Helper()
	x, err := search.Open("")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = x.Close() })
	x.SetFields(set)
	return x
}
