package calendar_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/replay/replaytest"
)

const shared = replaytest.Shared

// The calendar over all collections joins versions that say the same, and tells apart where they are from.
func TestCalendarOverAllCollections(t *testing.T) {
	h := replaytest.TwoCollections(t).Handler()
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
		"/first/?level=text&url=" + shared:      {`href="/-/calendar?level=text&amp;url=`},
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
		"/-/calendar?level=x&url=http://never.example/": 400,
	} {
		if w := replaytest.Get(t, h, path, "Accept", "text/html"); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
}

// As in the calendar of one collection, captures of another spelling of the address don't count if some are spelled as asked.
func TestCalendarOverAllCollectionsOfOneSpelling(t *testing.T) {
	const upper, lower = replaytest.Site + "/Page", replaytest.Site + "/page"
	of := func(date, uri, word string) replaytest.Record {
		text := replaytest.PageOf(word, "It rains on the hills since the morning and nobody knows when the "+word+" will stop.")
		return replaytest.Record{Date: date, URI: uri, Status: 200, Body: text}
	}
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	for coll, records := range map[string][]replaytest.Record{
		"first":  {of("20100101000000", upper, "rain"), of("20110101000000", lower, "snow"), of("20140101000000", upper, "rain")},
		"second": {of("20120101000000", upper, "rain"), of("20130101000000", lower, "hail")},
		"third":  {of("20120101000000", lower, "fog")},
	} {
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: coll}, []string{replaytest.Write(t, records)}); err != nil {
			t.Fatal(err)
		}
	}
	h := replaytest.ServeIndex(t, x).Handler()
	type share struct {
		Collection         string
		Captures, Versions int
	}
	for uriR, want := range map[string][]share{
		upper:                     {{"first", 2, 1}, {"second", 1, 1}},
		lower:                     {{"first", 1, 1}, {"second", 1, 1}, {"third", 1, 1}},
		replaytest.Site + "/pAgE": {{"first", 3, 3}, {"second", 2, 2}, {"third", 1, 1}}, // none is spelled so
	} {
		var got struct {
			Captures    int
			Collections []share
			Versions    []struct{ First string }
		}
		w := replaytest.Get(t, h, "/-/calendar?url="+uriR)
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(w.Code, err, w.Body)
		}
		captures := 0
		for _, s := range want {
			captures += s.Captures
		}
		if !slices.Equal(got.Collections, want) || got.Captures != captures || uriR == upper && len(got.Versions) != 1 {
			t.Errorf("%s: %+v", uriR, got)
		}
	}
}
