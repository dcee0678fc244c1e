package archive_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// A statedShelf is a shelf whose file can be away.
type statedShelf struct {
	*archivetest.Shelf
	file warc.Entry
	away error
}

func (s *statedShelf) Stat(context.Context, cdx.FileID) (warc.Entry, error) { return s.file, s.away }

func (s *statedShelf) Record(ctx context.Context, loc cdx.Location) (*warc.Record, error) {
	if s.away != nil {
		return nil, s.away
	}
	return s.Shelf.Record(ctx, loc)
}

// A capture is lost when its file is there and its record can't be read; a record that could be opened is opened again only after its
// file has changed.
func TestLostCaptures(t *testing.T) {
	shelf := archivetest.Keep(t, days(page, "text")...)
	records := &statedShelf{Shelf: shelf, file: warc.Entry{Size: 1}}
	c := shelf.Capture(t, day(0), page)
	lost := func(ctx context.Context, s *archive.Archive) bool { return s.Timelines.IsLost(ctx, c) }
	s := over(t, archive.Config{Index: shelf.Index, Records: records})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	shelf.Break(t, day(0), page)
	got := map[string]bool{"broken": lost(t.Context(), s), "nobody waits": lost(ended, s)}
	records.away = warc.ErrFileMissing
	got["file away"] = lost(t.Context(), s)
	unstated := over(t, archive.Config{Index: shelf.Index, Records: struct{ archive.Records }{records}})
	got["file away, on a storage that describes none"] = lost(t.Context(), unstated)
	records.away = nil
	shelf.Mend()
	shelf.Opened.Store(0)
	got["mended"], got["again"] = lost(t.Context(), s), lost(t.Context(), s)
	shelf.Break(t, day(0), page)
	got["broken later"] = lost(t.Context(), s)
	records.file.Size = 2
	got["broken later, and the file has changed"] = lost(t.Context(), s)
	if diff := cmp.Diff(map[string]bool{
		"broken": true, "nobody waits": false, "file away": false, "file away, on a storage that describes none": false,
		"mended": false, "again": false, "broken later": false, "broken later, and the file has changed": true,
	}, got); diff != "" {
		t.Error(diff)
	}
	if n := shelf.Opened.Load(); n != 1 {
		t.Errorf("opened %d times", n)
	}
}

// An archived error isn't had; a redirect is.
func TestHas(t *testing.T) {
	s, _ := open(t,
		archivetest.Record{Date: day(0), URI: "http://a.example/page"},
		archivetest.Record{Date: day(0), URI: "http://a.example/moved", Status: 399},
		archivetest.Record{Date: day(0), URI: "http://a.example/gone", Status: 400},
	)
	got, err := s.Has(t.Context(), "web", at(0), []string{
		"http://a.example/gone", "http://a.example/page", "http://a.example/never", "http://a.example/moved",
	})
	if diff := cmp.Diff([]bool{false, true, false, true}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
