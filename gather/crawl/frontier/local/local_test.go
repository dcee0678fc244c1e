package local_test

import (
	"log/slog"
	"testing"

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

func open(t *testing.T, on kv.Store, cfg frontier.Config) *local.Frontier {
	t.Helper()
	f, err := local.Open(t.Context(), on, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
