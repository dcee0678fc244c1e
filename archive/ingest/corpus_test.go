package ingest

import (
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/corpora"
)

// The run's counts agree with the index, and no sound file is reported as damaged.
func TestIndexesTheCorpora(t *testing.T) {
	t.Parallel()
	dir := corpora.Dir(t)
	x := indextest.Open(t, filepath.Join(t.TempDir(), "i"))
	cfg := Config{Index: x, Collection: "web", Report: func(p Problem) {
		if !p.Warning {
			t.Error(p)
		}
	}}
	p, err := Run(t.Context(), cfg, []string{
		filepath.Join(dir, "backbone"), filepath.Join(dir, "i18n"), filepath.Join(dir, "lucene"),
	})
	if err != nil {
		t.Fatal(err)
	}
	shown, err := x.Count(t.Context(), cdx.Span{Coll: "web"})
	if err != nil || shown == 0 || shown != p.Captures.Load() {
		t.Errorf("%d captures show, %d were read, %v", shown, p.Captures.Load(), err)
	}
	var captures, bytes int64
	for _, f := range x.Files() {
		captures, bytes = captures+f.Captures, bytes+f.Size
		if !f.Done || f.Damaged != 0 || f.Scanned != f.Size || f.Resume != f.Size {
			t.Errorf("%+v", f)
		}
	}
	if captures != shown || bytes != p.Bytes.Load() || int64(len(x.Files())) != p.Files.Load() {
		t.Errorf("the files have %d captures in %d bytes, the run counted %d in %d", captures, bytes, shown, p.Bytes.Load())
	}
}
