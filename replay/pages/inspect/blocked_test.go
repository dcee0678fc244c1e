package inspect_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A capture that holds what another holds is blocked by itself.
func TestBlockedVersionsThatAreKnown(t *testing.T) {
	const page = "http://a.example/"
	one, other := "<title>one</title><h1>one</h1><p>The river rises.", "<title>other</title><h1>other</h1><p>A meadow, no more."
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	policy := archivetest.Policy(t, `rules: [{url: "http://a.example/", match: host, captured: {from: 2012}, access: block}]`)
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: store, Access: policy})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{replaytest.WriteTyped(t, []replaytest.Typed{
		{Date: "20100101000000", URI: page, Kind: "text/html", Body: one},
		{Date: "20110101000000", URI: page, Kind: "text/html", Body: other},
		{Date: "20120101000000", URI: page, Kind: "text/html", Body: one},
	})}); err != nil {
		t.Fatal(err)
	}
	table := replaytest.Get(t, s.Handler(), "/web/inspect?url="+page+"&at=2010&css=h1&output=csv").Body.String()
	rows := strings.Split(strings.TrimSpace(table), "\r\n")
	if len(rows) != 4 || !strings.HasSuffix(rows[1], ",one") || !strings.HasSuffix(rows[2], ",other") || strings.Contains(rows[3], "one") {
		t.Errorf("%s", strings.Join(rows, "\n"))
	}
}
