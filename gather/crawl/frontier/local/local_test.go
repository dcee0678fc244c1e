package local_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/crawl/frontier/frontiertest"
	"github.com/varve-archive/varve/gather/crawl/frontier/local"
)

func TestInMemory(t *testing.T) {
	frontiertest.Run(t, func(*testing.T) frontiertest.Opener {
		on := kvtest.NewMemory()
		return func(t *testing.T, cfg frontier.Config) frontier.Frontier { return open(t, on, cfg) }
	})
}

func TestInBadger(t *testing.T) {
	frontiertest.Run(t, func(t *testing.T) frontiertest.Opener {
		dir := t.TempDir()
		var last *local.Frontier
		t.Cleanup(func() { last.Close() })
		return func(t *testing.T, cfg frontier.Config) frontier.Frontier {
			if last != nil {
				if err := last.Close(); err != nil {
					t.Fatal(err)
				}
			}
			on, err := badger.Open(dir, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			last = open(t, on, cfg)
			return last
		}
	})
}

// A conflicted store runs each update twice, as one does that finds a conflict, and the second time only if it may.
type conflicted struct {
	kv.Store
	fails error
}

var errConflict = errors.New("a conflict")

func (s *conflicted) Update(ctx context.Context, f func(kv.Txn) error) error {
	_ = s.Store.Update(ctx, func(tx kv.Txn) error { return errors.Join(f(tx), errConflict) })
	if s.fails != nil {
		return s.fails
	}
	return s.Store.Update(ctx, f)
}

func TestUpdatesThatAreMadeAgain(t *testing.T) {
	frontiertest.Run(t, func(*testing.T) frontiertest.Opener {
		on := &conflicted{Store: kvtest.NewMemory()}
		return func(t *testing.T, cfg frontier.Config) frontier.Frontier { return open(t, on, cfg) }
	})
}

// A state that was returned is the caller's, and what can't be stored doesn't count.
func TestWhatFailsChangesNothing(t *testing.T) {
	on := &conflicted{Store: kvtest.NewMemory()}
	f := open(t, on, frontier.Config{})
	skip := frontier.Found{Widen: "http://b/", Skipped: []frontier.Skip{{Key: "a", Reason: frontier.Trap, Trap: "path"}}}
	if err := f.Found(t.Context(), skip); err != nil {
		t.Fatal(err)
	}
	want, _ := f.State(t.Context())
	on.fails = errConflict
	skip.Skipped[0].Key, skip.Widen = "b", "http://c/"
	if err := f.Found(t.Context(), skip); !errors.Is(err, errConflict) {
		t.Errorf("%v", err)
	}
	got, _ := f.State(t.Context())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got.Skipped[frontier.Trap], got.Traps["path"], got.Status["200"], got.Widens[0] = 9, 9, 9, ""
	if again, _ := f.State(t.Context()); !cmp.Equal(want, again) {
		t.Error(cmp.Diff(want, again))
	}
}

func open(t *testing.T, on kv.Store, cfg frontier.Config) *local.Frontier {
	t.Helper()
	f, err := local.Open(t.Context(), on, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
