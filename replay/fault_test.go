package replay_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// Whatever operation of the store fails while a request is answered, the answer is the right one, or 503 that says when to come back,
// or it is cut off. None is wrong, and none is another error.
func TestNoFaultOfTheStoreMakesAWrongAnswer(t *testing.T) {
	f, mostOfARoute := replaytest.NewFaults(t, linking()), 6 // of the requests of a route, which differ in little
	if testing.Short() {
		mostOfARoute = 1 // the packages of pages ask for theirs, too
	}
	for _, targets := range routes(freePage) {
		f.Ask(targets[:min(len(targets), mostOfARoute)]...)
	}
	for _, target := range []string{"/" + linkingPage, "id_/" + awayPage, "/" + awayPage} {
		f.Ask("/web/20130101000000" + target)
	}
	if t.Logf("answers by status, %d for cut off: %v", replaytest.CutOff, f.Answers); f.Answers[http.StatusServiceUnavailable] < 500 {
		t.Error("hardly a request met a fault")
	}
}

const (
	linkingPage = "http://free.example/linking"
	awayPage    = "http://free.example/away"
	oftenPage   = "http://free.example/often" // captured more often than what is read at once of a link
)

// linking has a page and a redirect that lead to others, whose captures are of other datetimes.
func linking() []replaytest.Record {
	records := append(
		shown(), replaytest.Record{Date: "20130101000000", URI: linkingPage, Status: 200, Body: `<a href="` + oftenPage + `">often</a>`},
		replaytest.Record{Date: "20130101000000", URI: awayPage, Status: 301, Location: oftenPage},
	)
	for year := 2014; year < 2034; year++ {
		date := fmt.Sprint(year, "0101000000")
		records = append(records, replaytest.Record{Date: date, URI: oftenPage, Status: 200, Body: "in " + date})
	}
	return records
}

// A file that can't be read now may be on its way to another place: whatever needs it says when to ask again.
func TestMissingFilesSayWhenToAskAgain(t *testing.T) {
	file := replaytest.Write(t, shown())
	s, _ := replaytest.Serve(t, file)
	replaytest.Remove(t, file)
	n := 0
	for path, targets := range routes(freePage) {
		for _, target := range targets {
			for _, accept := range []string{"text/html", "application/json"} {
				w := request(s.Handler(), "GET", target, "Accept", accept)
				if w.Code < http.StatusInternalServerError {
					continue
				}
				if n++; w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
					t.Errorf("%s: %s as %s: %d, Retry-After %q", path, target, accept, w.Code, w.Header().Get("Retry-After"))
				}
			}
		}
	}
	if n < 5 {
		t.Errorf("%d requests needed the file", n)
	}
}
