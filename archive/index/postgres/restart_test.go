package postgres

import (
	"context"
	"fmt"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/testkit/database"
)

// What a batch wrote is there after a crash of the database: its process goes on afterwards, and says that all is written.
func TestABatchSurvivesACrashOfTheDatabase(t *testing.T) {
	server := database.Start(t)
	s, err := Open(context.Background(), server.Database(), kv.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for crash := range 3 {
		b := s.Batch(t.Context())
		key := fmt.Appendf(nil, "key %d", crash)
		if err := b.Set(key, []byte("value")); err != nil {
			t.Fatal(err)
		}
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		server.Stop()
		server.Continue()
		if err := s.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		err := s.View(t.Context(), func(snap kv.Snapshot) error { return snap.Get(key, func([]byte) error { return nil }) })
		if err != nil {
			t.Errorf("crash %d: %v", crash, err)
		}
	}
}
