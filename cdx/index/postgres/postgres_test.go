package postgres

import (
	"context"
	"testing"

	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/cdx/index/storetest"
	"github.com/varve-archive/varve/internal/database"
)

func TestStore(t *testing.T) {
	server := database.Start(t)
	urls := map[store.Store]string{}
	openAt := func(t *testing.T, url string) store.Store {
		t.Helper()
		s, err := Open(context.Background(), url, store.Create)
		if err != nil {
			t.Fatal(err)
		}
		urls[s] = url
		return s
	}
	storetest.Run(t, func(t *testing.T) store.Store {
		return openAt(t, server.Database())
	}, func(t *testing.T, s store.Store) store.Store {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return openAt(t, urls[s])
	})
}
