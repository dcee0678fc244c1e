package searches_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/replaytest"
)

// stagedRecords are records that are indexed with a staging area; counting counts those that are read later.
type stagedRecords struct {
	x        *index.Index
	kept     *searches.Staging
	counting *countedRecords
}

func newStagedRecords(t *testing.T) *stagedRecords {
	t.Helper()
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	files := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { _ = files.Close() })
	kept := searches.NewStaging(t.TempDir())
	t.Cleanup(kept.Close)
	return &stagedRecords{x, kept, &countedRecords{Records: files}}
}

// index indexes a file with a page for each of some texts.
func (r *stagedRecords) index(t *testing.T, texts ...string) {
	t.Helper()
	var records []replaytest.Record
	for i, text := range texts {
		records = append(records, replaytest.Record{
			Date: "20150101000000", URI: replaytest.Site + "/" + text, Status: 200, Body: replaytest.PageOf(text, strings.Repeat("x", i+1)),
		})
	}
	r.run(t, replaytest.Write(t, records))
}

func (r *stagedRecords) run(t *testing.T, paths ...string) {
	t.Helper()
	cfg := ingest.Config{Index: r.x, Collection: "web", Report: func(ingest.Problem) {}, Texts: r.kept.Keep}
	if _, err := ingest.Run(t.Context(), cfg, paths); err != nil {
		t.Fatal(err)
	}
}

// What a server indexes it doesn't read again for its search, and when the search has it, it is kept no longer.
func TestKeepSearchReadsWhatIndexingKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStagedRecords(t)
		k := &keeper{Searches: over(t, archive.Config{Index: r.x, Records: r.counting}, searches.Config{Dir: t.TempDir(), Staging: r.kept})}
		defer k.Close()
		r.index(t, "lakes", "ponds")
		stop := k.start(t)
		synctest.Wait()
		r.index(t, "rivers")
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if n := r.counting.n.Load(); n != 0 || k.pages(t) != 3 {
			t.Errorf("%d records were read for a search of %d pages", n, k.pages(t))
		}
		stop()
		if _, err := k.Build(context.Background(), "web", true, nil); err != nil {
			t.Fatal(err)
		}
		if n := r.counting.n.Load(); n != 3 || k.pages(t) != 3 {
			t.Errorf("built anew, %d records were read for a search of %d pages", n, k.pages(t))
		}
	})
}

// What indexing kept of a page is what its record says: texts, and links with their keys.
func TestWhatIndexingKeepsIsWhatRecordsSay(t *testing.T) {
	page := func(path, body string) replaytest.Record {
		return replaytest.Record{Date: "20150101000000", URI: replaytest.Site + path, Status: 200, Body: body}
	}
	paths := []string{replaytest.Write(t, []replaytest.Record{
		page("/", replaytest.PageOf("Lakes", "ponds rivers")),
		page("/based", `<title>Based</title><base href="//b.example/dir/"><h2>Head</h2><p>Text <a href="x#y">of x</a> <a href="">here</a>
			<a href="mailto:a@a.example">mail</a> <a href="http://[">none</a> <a href="/z?a=1">of z</a> <a href="/z?a=1">again</a>`),
		page("/empty", ""),
	}), replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: "20150101000000", URI: replaytest.Site + "/typeless", Body: "<title>Typeless</title><p>Text <a href='/z'>of z</a>"},
	})}
	if versions, read := compareStaged(t, paths); versions != 4 || read != 0 {
		t.Errorf("%d of %d versions were read from their records", read, versions)
	}
}

// compareStaged indexes files and compares what was kept of their pages with what the records say. It returns the number of versions, and
// of records that were read for what was not kept.
func compareStaged(t *testing.T, paths []string) (versions, read int) {
	t.Helper()
	r := newStagedRecords(t)
	r.run(t, paths...)
	open := func(kept *searches.Staging) *searches.Source {
		return over(t, archive.Config{Index: r.x, Records: r.counting}, searches.Config{Staging: kept}).Source("web")
	}
	records, staged := open(nil), open(r.kept)
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
			before := r.counting.n.Load()
			got, err := staged.Text(t.Context(), p.Key, v)
			if err != nil {
				t.Fatal(err)
			}
			read += int(r.counting.n.Load() - before)
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
	return versions, read
}

// pages returns how many pages are in the search.
func (k *keeper) pages(t *testing.T) int64 {
	t.Helper()
	of, err := k.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	return of.Progress.Done.Load()
}

// countedRecords counts the records that are read.
type countedRecords struct {
	archive.Records
	n atomic.Int64
}

func (c *countedRecords) Record(ctx context.Context, at cdx.Location) (*warc.Record, error) {
	c.n.Add(1)
	return c.Records.Record(ctx, at)
}
