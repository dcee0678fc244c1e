package ingest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx/index/indextest"
)

func corpus(t testing.TB, name string) string {
	dir := filepath.Join("..", "..", "shared", "corpus", name)
	if m, _ := filepath.Glob(filepath.Join(dir, "*")); len(m) == 0 {
		t.Skipf("the corpus %s is not beside the checkout", dir)
	}
	return dir
}

func TestIndexesTheCorpora(t *testing.T) {
	x := indextest.Open(t, filepath.Join(t.TempDir(), "i"))
	start := time.Now()
	p, err := Run(context.Background(), Config{Index: x, Collection: "web", Report: func(p Problem) { t.Log(p) }}, []string{corpus(t,
		"backbone"), corpus(t, "i18n"), corpus(t, "lucene")})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(start), p.Captures.Load(), p.Bytes.Load(), p.Problems.Load(), p.Unresolved.Load())
}
