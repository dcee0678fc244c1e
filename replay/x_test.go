package replay_test

import (
	"testing"

	"github.com/varve-archive/varve/replay"
)

// mustArchive opens an archive for a test.
func mustArchive(tb testing.TB, cfg replay.ArchiveConfig) *replay.Archive {
	tb.Helper()
	a, err := replay.NewArchive(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}
