package postgres

import (
	"context"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/internal/testkit/database"
)

func TestStore(t *testing.T) {
	server := database.Start(t)
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
		return openAt(t, server.Database())
	}, func(t *testing.T, s kv.Store) kv.Store {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return openAt(t, urls[s])
	})
}
