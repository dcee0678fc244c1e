package replay_test

import (
	"testing"

	"github.com/varve-archive/varve/archive"
)

// mustArchive opens an archive for a test.
func mustArchive(tb testing.TB, cfg archive.Config) *archive.Archive {
	tb.Helper()
	a, err := archive.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}
