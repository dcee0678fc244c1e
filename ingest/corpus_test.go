package ingest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx/index/indextest"
	"github.com/varve-archive/varve/internal/corpora"
)

func TestIndexesTheCorpora(t *testing.T) {
	dir := corpora.Dir(t)
	x := indextest.Open(t, filepath.Join(t.TempDir(), "i"))
	start := time.Now()
	p, err := Run(context.Background(), Config{Index: x, Collection: "web", Report: func(p Problem) { t.Log(p) }},
		[]string{filepath.Join(dir, "backbone"), filepath.Join(dir, "i18n"), filepath.Join(dir, "lucene")})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(start), p.Captures.Load(), p.Bytes.Load(), p.Problems.Load(), p.Unresolved.Load())
}
