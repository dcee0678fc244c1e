package replay_test

import (
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index/indextest"
	"github.com/varve-archive/varve/ingest"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/warc"
)

// searchable indexes files and builds the search. Each group of paths is a separate run of both.
func searchable(tb testing.TB, runs ...[]string) *replay.Server {
	tb.Helper()
	x := indextest.Open(tb, filepath.Join(tb.TempDir(), "index"))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	s, err := replay.New(replay.Config{Archive: mustArchive(tb,
		archive.Config{Index: x, Records: store, SearchDir: filepath.Join(tb.TempDir(), "search")})})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Archive().CloseSearch(); err != nil {
			tb.Error(err)
		}
		store.Close()
		x.Close()
	})
	for _, paths := range runs {
		if _, err := ingest.Run(tb.Context(), ingest.Config{Index: x, Collection: "web", Report: func(p ingest.Problem) { tb.Log(p) }},
			paths); err != nil {
			tb.Fatal(err)
		}
		if _, err := s.Archive().BuildSearch(tb.Context(), "web", false, nil); err != nil {
			tb.Fatal(err)
		}
	}
	return s
}

// corpora returns the folders of the shared corpora with ground truth. It skips the test if they are missing.
func corpora(tb testing.TB) []string {
	tb.Helper()
	truths, err := filepath.Glob(filepath.Join("..", "..", "shared", "corpus", "*", "*.truth.jsonl.gz"))
	if err != nil || len(truths) == 0 {
		tb.Skip("no ../shared/corpus: nothing to measure against")
	}
	for i := range truths {
		truths[i] = filepath.Dir(truths[i])
	}
	return truths
}
