package redis

import (
	"testing"

	"github.com/varve-archive/varve/crawl/frontier"
	"github.com/varve-archive/varve/crawl/frontier/frontiertest"
	"github.com/varve-archive/varve/internal/redistest"
)

func TestSuite(t *testing.T) {
	server := redistest.Start(t)
	frontiertest.Run(t, func(t *testing.T) frontiertest.Opener {
		var last *Frontier
		t.Cleanup(func() { last.Close() })
		return func(t *testing.T, cfg frontier.Config) frontier.Frontier {
			if last != nil {
				if err := last.Close(); err != nil {
					t.Fatal(err)
				}
			}
			var err error
			last, err = Open(t.Context(), Config{URL: server.URL(), Name: nameOf(t), Folder: "f", Handing: cfg})
			if err != nil {
				t.Fatal(err)
			}
			return last
		}
	})
}

// nameOf returns a name for a crawl of a test.
func nameOf(t *testing.T) string { return idOf(t.Name()) }
