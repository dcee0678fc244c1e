package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/replaytest"
)

// Whatever operation of the index's store fails, no memento, TimeGate, TimeMap or list of captures is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Remarkable()).Ask(
		"/web/20150101000000id_/"+replaytest.Site+"/edit", "/web/20150101000003mp_/"+replaytest.Site+"/moved",
		"/web/20170101000004/"+replaytest.Site+"/empty", "/web/2016/"+replaytest.Site+"/missing", "/web/"+replaytest.Site+"/soft",
		"/web/timemap/link/"+replaytest.Site+"/edit", "/web/timemap/json/"+replaytest.Site+"/edit",
		"/web/cdx?url="+replaytest.Site+"/*&closest=2016",
	)
}

// The addresses in a page are looked up after the head of its answer was made. An error has nothing of that head.
func TestReferencesWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	const day, site = "20150101000000", "http://river.example/"
	replaytest.NewFaults(t, []replaytest.Record{
		{Date: day, URI: site, Status: 200, Body: "<title>River</title><p><a href=/ferry>The ferry</a> crosses it."},
		{Date: "20150201000000", URI: site + "ferry", Status: 200, Body: "<title>Ferry</title><p>It crosses the river."},
	}).Ask("/web/" + day + "mp_/" + site)
}

// A page with more captures than are read at once is read in parts, each of which may fail.
func TestALongPageWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	var long []replaytest.Record
	for i := range 1200 {
		date := cdx.FromTime(time.Date(2000, 1, 1, i, 0, 0, 0, time.UTC)).String()
		body := fmt.Sprintf("<title>River</title><p>The level number %d was measured here today.", i/3)
		long = append(long, replaytest.Record{Date: date, URI: "http://river.example/", Status: 200, Body: body})
	}
	replaytest.NewFaults(t, long).Ask(
		"/web/20000111000000id_/http://river.example/", "/web/20000111003000id_/http://river.example/",
		"/web/20000111000000mp_/http://river.example/",
		"/web/http://river.example/",
	)
}
