package calendar_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

const shared = replaytest.Shared

// The calendar over all collections joins versions that say the same, and tells apart where they are from.
func TestCalendarOverAllCollections(t *testing.T) {
	h := replaytest.TwoCollections(t)
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
		"/-/calendar?level=x&url=http://never.example/": 400,
	} {
		if w := replaytest.Get(t, h, path, "Accept", "text/html"); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
}
