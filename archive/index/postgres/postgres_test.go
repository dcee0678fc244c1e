package postgres

import (
	"context"
	"fmt"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/internal/testkit/database"
)

func TestStore(t *testing.T) {
	server := database.Start(t)
	testStore(t, func(*testing.T) string { return server.Database() })
}

// A pooler may have each transaction on another connection, if the URL says so.
func TestStoreBehindAPooler(t *testing.T) {
	server := database.Start(t)
	url, tables := server.Pooler(), 0
	testStore(t, func(*testing.T) string {
		tables++
		return fmt.Sprintf("%s&default_query_exec_mode=cache_describe&table=t%d", url, tables)
	})
}

func testStore(t *testing.T, empty func(*testing.T) string) {
	t.Helper()
	urls := map[kv.Store]string{}
	openAt := func(t *testing.T, url string) kv.Store {
		t.Helper()
		s, err := Open(context.Background(), url, kv.Create)
		if err != nil {
			t.Fatal(err)
		}
		urls[s] = url
		return s
	}
	kvtest.Run(t, func(t *testing.T) kv.Store {
		return openAt(t, empty(t))
	}, func(t *testing.T, s kv.Store) kv.Store {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return openAt(t, urls[s])
	})
}
