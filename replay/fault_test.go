package replay_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// Whatever operation of the store fails while a request is answered, the answer is the right one, or 503 that says when to come back,
// or it is cut off. None is wrong, and none is another error.
func TestNoFaultOfTheStoreMakesAWrongAnswer(t *testing.T) {
	s, err := badger.Open(filepath.Join(t.TempDir(), "index"), nil)
	if err != nil {
		t.Fatal(err)
	}
	faulty := kvtest.NewFaulty(s)
	faulty.Err = kv.ErrUnavailable
	x, err := index.New(t.Context(), faulty)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{replaytest.Write(t, linking())}); err != nil {
		t.Fatal(err)
	}
	f := &faults{t: t, index: x, store: faulty, searches: filepath.Join(t.TempDir(), "search")}
	f.build()
	answers, mostOfARoute := map[int]int{}, 6 // of the requests of a route, which differ in little
	if testing.Short() {
		mostOfARoute = 2
	}
	for path, targets := range routes(freePage) {
		for i, target := range targets {
			if i >= mostOfARoute {
				break
			}
			for _, accept := range []string{"text/html", "application/json"} {
				f.each(path, target, accept, answers)
			}
		}
	}
	for _, target := range []string{"/" + linkingPage, "id_/" + awayPage, "/" + awayPage} {
		target = "/web/20130101000000" + target
		f.each("what leads elsewhere", target, "text/html", answers)
	}
	if t.Logf("answers by status, %d for cut off: %v", cutOff, answers); answers[http.StatusServiceUnavailable] < 500 {
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

// cutOff is the status of an answer that was cut off.
const cutOff = -1

// faults asks one request again and again, each time of a server that knows nothing yet.
type faults struct {
	t        *testing.T
	index    *index.Index
	store    *kvtest.Faulty
	searches string
}

func (f *faults) build() {
	cfg, end := f.config()
	defer end()
	if _, err := cfg.Searches.Build(f.t.Context(), "web", false, nil); err != nil {
		f.t.Fatal(err)
	}
}

func (f *faults) config() (cfg replay.Config, end func()) {
	f.t.Helper()
	records := warc.NewStore(func(id cdx.FileID) (string, bool) { of, ok := f.index.File(id); return of.Path, ok })
	cfg = replaytest.Over(f.t, archive.Config{Index: f.index, Records: records}, searches.Config{Dir: f.searches})
	return cfg, func() {
		_ = cfg.Searches.Close()
		records.Close()
	}
}

// each lets the first operations of a request fail, one at a time, then some of the later ones.
func (f *faults) each(path, target, accept string, answers map[int]int) {
	right, steps := f.ask(target, accept, 0)
	if right.Code >= http.StatusInternalServerError {
		f.t.Errorf("%s: %s as %s: %d without a fault", path, target, accept, right.Code)
	}
	for at := 1; at <= len(steps); at += 1 + at/40 {
		w, _ := f.ask(target, accept, at)
		if w.Code == http.StatusServiceUnavailable && right.Code < 400 && w.Header().Get("Memento-Datetime") != "" {
			f.t.Errorf("%s: %s as %s, %s (%d of %d) fails: the error is a memento", path, target, accept, steps[at-1], at, len(steps))
		}
		switch answers[w.Code]++; {
		case w.Code == cutOff:
		case w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") != "":
		case w.Code == right.Code && w.Header().Get("Location") == right.Header().Get("Location") &&
			(w.Body.String() == right.Body.String() || w.Code == http.StatusNotFound): // it may know fewer ways to go on
		default:
			f.t.Errorf("%s: %s as %s, %s (%d of %d) fails: %d, Retry-After %q:\n%s", path, target, accept, steps[at-1], at, len(steps),
				w.Code, w.Header().Get("Retry-After"), firstDifference(w.Body.String(), right.Body.String()))
		}
	}
}

// ask asks a new server, whose store fails at an operation, or not at all if that is 0.
func (f *faults) ask(target, accept string, at int) (w *httptest.ResponseRecorder, steps []string) {
	cfg, end := f.config()
	defer end()
	s, err := replay.New(cfg)
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() {
		if r := recover(); r == http.ErrAbortHandler {
			w = httptest.NewRecorder()
			w.Code = cutOff
		} else if r != nil {
			panic(fmt.Sprint(target, ": ", r))
		}
	}()
	f.store.FailAt(at)
	defer func() {
		steps = f.store.Steps()
		f.store.FailAt(0)
	}()
	return request(s.Handler(), "GET", target, "Accept", accept), nil
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
