package replaytest

import (
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/replay"
)

// Shared is a page of [TwoCollections] that both have.
const Shared = Site + "/shared"

// TwoCollections serves a page that both have, and one that only the second has.
func TwoCollections(t *testing.T) *replay.Server {
	t.Helper()
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	one := PageOf("Rain", "It rains on the hills since the morning and nobody knows when it will stop.")
	two := PageOf("Rain", "It rained on the hills for a whole week, and now the sun shines on the valley again.")
	for coll, records := range map[string][]Record{
		"first": {
			{Date: "20100101000000", URI: Shared, Status: 200, Body: one},
			{Date: "20140101000000", URI: Shared, Status: 200, Body: two},
		},
		"second": {
			{Date: "20120101000000", URI: Shared, Status: 200, Body: one},
			{Date: "20160101000000", URI: Shared, Status: 200, Body: two},
			{Date: "20160101000000", URI: Site + "/alone", Status: 200, Body: one},
		},
	} {
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: coll}, []string{Write(t, records)}); err != nil {
			t.Fatal(err)
		}
	}
	return ServeIndex(t, x)
}
