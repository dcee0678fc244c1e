package pages_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

const shared = replaytest.Site + "/shared"

// twoCollections serves a page that both have, and one that only the second has.
func twoCollections(t *testing.T) http.Handler {
	t.Helper()
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	one := replaytest.PageOf("Rain", "It rains on the hills since the morning and nobody knows when it will stop.")
	two := replaytest.PageOf("Rain", "It rained on the hills for a whole week, and now the sun shines on the valley again.")
	for coll, records := range map[string][]replaytest.Record{
		"first": {
			{Date: "20100101000000", URI: shared, Status: 200, Body: one},
			{Date: "20140101000000", URI: shared, Status: 200, Body: two},
		},
		"second": {
			{Date: "20120101000000", URI: shared, Status: 200, Body: one},
			{Date: "20160101000000", URI: shared, Status: 200, Body: two},
			{Date: "20160101000000", URI: replaytest.Site + "/alone", Status: 200, Body: one},
		},
	} {
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: coll}, []string{replaytest.Write(t, records)}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: store})})
	if err != nil {
		t.Fatal(err)
	}
	return s.Handler()
}

// The calendar over all collections joins versions that say the same, and tells apart where they are from.
func TestCalendarOverAllCollections(t *testing.T) {
	h := twoCollections(t)
	var got struct {
		Captures    int
		Collections []struct {
			Collection         string
			Captures, Versions int
		}
		Versions []struct {
			First, Last, Collection string
			Captures                int
			FirstMemento            string `json:"first_memento"`
		}
	}
	w := replaytest.Get(t, h, "/-/calendar?url="+shared)
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatal(w.Code, err, w.Body)
	}
	if got.Captures != 4 || len(got.Collections) != 2 || got.Collections[1].Versions != 2 || len(got.Versions) != 2 {
		t.Fatalf("%+v", got)
	}
	first, second := got.Versions[0], got.Versions[1]
	if first.Captures != 2 || first.Last != "20120101000000" || first.Collection != "first" || second.First != "20140101000000" ||
		!strings.HasSuffix(second.FirstMemento, "/first/20140101000000/"+shared) {
		t.Errorf("%+v", got.Versions)
	}
	for path, wants := range map[string][]string{
		"/-/calendar?url=" + shared: {
			"rain.example.org/shared", `href="/first/*/` + shared + `"`, `href="/second/*/` + shared + `"`, `href="/first/20140101000000/` + shared,
			`href="/-/calendar?on=2012&amp;url=`,
		},
		"/-/calendar?on=20120101&url=" + shared: {`href="/second/20120101000000/` + shared, "<bdi>second</bdi>"},
		"/first/*/" + shared:                    {`href="/-/calendar?url=`},
	} {
		w := replaytest.Get(t, h, path, "Accept", "text/html")
		for _, want := range wants {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %d, no %s in\n%s", path, w.Code, want, w.Body)
			}
		}
	}
	alone := replaytest.Get(t, h, "/second/*/"+replaytest.Site+"/alone", "Accept", "text/html").Body.String()
	if strings.Contains(alone, "/-/calendar") {
		t.Error("what only one collection has leads to the calendar over all of them")
	}
	for path, status := range map[string]int{
		"/-/calendar": 400, "/-/calendar?url=http://never.example/": 404, "/-/calendar?level=x&url=" + shared: 400,
	} {
		if w := replaytest.Get(t, h, path, "Accept", "text/html"); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
}

// The box of a home with several collections completes addresses of all of them, and opens what several have together.
func TestTheBoxOfSeveralCollections(t *testing.T) {
	h := twoCollections(t)
	if body := replaytest.Get(t, h, "/", "Accept", "text/html").Body.String(); !strings.Contains(body, `data-suggest="/-/suggest"`) {
		t.Error("the box doesn't complete")
	}
	var got [4]json.RawMessage
	w := replaytest.Get(t, h, "/-/suggest?q=rain.example.org/")
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err, w.Body)
	}
	if want := `["` + replaytest.Site + `/shared","` + replaytest.Site + `/alone"]`; string(got[1]) != want {
		t.Errorf("%s, want %s", got[1], want)
	}
	for typed, to := range map[string]string{
		shared:                     "/-/calendar?url=http%3A%2F%2Frain.example.org%2Fshared",
		replaytest.Site + "/alone": "/second/*/" + replaytest.Site + "/alone",
		shared + "&at=2013":        "/first/2013",
	} {
		w := replaytest.Get(t, h, "/?url="+typed, "Accept", "text/html")
		if got := w.Header().Get("Location"); w.Code != http.StatusFound || !strings.HasPrefix(got, to) {
			t.Errorf("%s: %d to %s", typed, w.Code, got)
		}
	}
}
