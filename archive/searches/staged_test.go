package searches_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/replaytest"
)

// What a server indexes it doesn't read again for its search, and when the search has it, it is kept no longer.
func TestKeepSearchReadsWhatIndexingKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
		kept := searches.NewStaging(t.TempDir())
		defer kept.Close()
		index := func(texts ...string) {
			t.Helper()
			var records []replaytest.Record
			for i, text := range texts {
				records = append(records, replaytest.Record{
					Date: "20150101000000", URI: replaytest.Site + "/" + text, Status: 200, Body: replaytest.PageOf(text, strings.Repeat("x", i+1)),
				})
			}
			cfg := ingest.Config{Index: x, Collection: "web", Texts: kept.Keep}
			if _, err := ingest.Run(t.Context(), cfg, []string{replaytest.Write(t, records)}); err != nil {
				t.Fatal(err)
			}
		}
		files := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
		defer files.Close()
		counting := &countedRecords{Records: files}
		k := &keeper{Searches: over(t, archive.Config{Index: x, Records: counting}, searches.Config{Dir: t.TempDir(), Staging: kept})}
		defer k.Close()
		index("lakes", "ponds")
		stop := k.start(t)
		synctest.Wait()
		index("rivers")
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if n := counting.n.Load(); n != 0 || k.pages(t) != 3 {
			t.Errorf("%d records were read for a search of %d pages", n, k.pages(t))
		}
		stop()
		if _, err := k.Build(context.Background(), "web", true, nil); err != nil {
			t.Fatal(err)
		}
		if n := counting.n.Load(); n != 3 || k.pages(t) != 3 {
			t.Errorf("built anew, %d records were read for a search of %d pages", n, k.pages(t))
		}
	})
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
