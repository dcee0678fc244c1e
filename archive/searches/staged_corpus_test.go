//go:build !race

// Under the race detector these comparisons take ten times as long; scripts/test.sh runs them without.

package searches_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/replaytest"
)

// What indexing kept of a page is what its record says: texts, and links with their keys. Some texts are in no staging area, because
// their bodies were known when they came.
func TestWhatIndexingKeepsIsWhatRecordsSay(t *testing.T) {
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	kept := searches.NewStaging(t.TempDir())
	t.Cleanup(kept.Close)
	cfg := ingest.Config{Index: x, Collection: "web", Report: func(ingest.Problem) {}, Texts: kept.Keep}
	if _, err := ingest.Run(t.Context(), cfg, replaytest.Corpora(t)); err != nil {
		t.Fatal(err)
	}
	files := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { _ = files.Close() })
	counting := &countedRecords{Records: files}
	open := func(kept *searches.Staging) *searches.Source {
		return over(t, archive.Config{Index: x, Records: counting}, searches.Config{Staging: kept}).Source("web")
	}
	records, staged := open(nil), open(kept)
	versions, read := 0, int64(0)
	for p, err := range records.Pages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		list, err := records.Versions(t.Context(), p.Key)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			if v.Text == 0 {
				continue
			}
			versions++
			want, err := records.Text(t.Context(), p.Key, v)
			if err != nil {
				t.Fatal(err)
			}
			before := counting.n.Load()
			got, err := staged.Text(t.Context(), p.Key, v)
			if err != nil {
				t.Fatal(err)
			}
			read += counting.n.Load() - before
			if d := cmp.Diff(want.Text, got.Text); d != "" {
				t.Fatalf("%s %s (-record +kept):\n%s", p.Key, v.First, d)
			}
			if (want.Links == nil) != (got.Links == nil) {
				t.Fatalf("%s %s: links %t, want %t", p.Key, v.First, got.Links != nil, want.Links != nil)
			}
			if want.Links != nil && !slices.Equal(slices.Collect(want.Links), slices.Collect(got.Links)) {
				t.Fatalf("%s %s: other links", p.Key, v.First)
			}
		}
	}
	if versions < 1000 || int(read)*5 > versions {
		t.Errorf("%d of %d versions were read from their records", read, versions)
	}
}
