package replaytest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
)

// CutOff is the status of an answer that was cut off.
const CutOff = -1

// Faults asks requests again and again, each time of a server that knows nothing yet, while one operation of the index's store fails.
type Faults struct {
	Answers map[int]int // by status
	// Through returns what is asked: a server's own handler, unless a test sets another.
	Through func(*replay.Server) http.Handler

	t        *testing.T
	index    *index.Index
	store    *kvtest.Faulty
	searches string
}

// NewFaults indexes records as the collection web, and builds its search.
func NewFaults(t *testing.T, records []Record) *Faults {
	t.Helper()
	f := &Faults{
		Answers: map[int]int{}, Through: (*replay.Server).Handler,
		t: t, store: kvtest.NewFaulty(kvtest.NewMemory()), searches: filepath.Join(t.TempDir(), "search"),
	}
	f.store.Err = kv.ErrUnavailable
	var err error
	if f.index, err = index.New(t.Context(), f.store); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.index.Close() })
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: f.index, Collection: "web"}, []string{Write(t, records)}); err != nil {
		t.Fatal(err)
	}
	cfg, end := f.config()
	defer end()
	if _, err := cfg.Searches.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *Faults) config() (cfg replay.Config, end func()) {
	f.t.Helper()
	records := warc.NewStore(func(id cdx.FileID) (string, bool) { of, ok := f.index.File(id); return of.Path, ok })
	cfg = Over(f.t, archive.Config{Index: f.index, Records: records}, searches.Config{Dir: f.searches})
	return cfg, func() {
		_ = cfg.Searches.Close()
		records.Close()
	}
}

// Ask lets the first operations of each request fail, one at a time, then some of the later ones. It asks as a browser and as a program.
// The answer has to be the right one, or 503 that says when to come back, or it is cut off: none is wrong, and none is another error.
func (f *Faults) Ask(targets ...string) {
	f.t.Helper()
	for _, target := range targets {
		for _, accept := range []string{"text/html", "application/json"} {
			right, steps := f.ask(target, accept, 0)
			if right.Code >= http.StatusInternalServerError {
				f.t.Errorf("%s as %s: %d without a fault", target, accept, right.Code)
			}
			for at := 1; at <= len(steps); at += 1 + at/10 {
				w, _ := f.ask(target, accept, at)
				if f.Answers[w.Code]++; !isRight(w, right) {
					f.t.Errorf("%s as %s, %s (%d of %d) fails: %d, headers %v:\n%s", target, accept, steps[at-1], at, len(steps),
						w.Code, w.Header(), FirstDifference(w.Body.String(), right.Body.String()))
				}
			}
		}
	}
}

func isRight(w, right *httptest.ResponseRecorder) bool {
	switch w.Code {
	case CutOff:
		return true
	case http.StatusServiceUnavailable:
		return w.Header().Get("Retry-After") != "" && (right.Code >= 400 || w.Header().Get("Memento-Datetime") == "")
	case right.Code:
		return w.Header().Get("Location") == right.Header().Get("Location") &&
			(w.Body.String() == right.Body.String() || w.Code == http.StatusNotFound) // it may know fewer ways to go on
	}
	return false
}

// ask asks a new server, whose store fails at an operation, or not at all if that is 0.
func (f *Faults) ask(target, accept string, at int) (w *httptest.ResponseRecorder, steps []string) {
	cfg, end := f.config()
	defer end()
	s, err := replay.New(cfg)
	if err != nil {
		f.t.Fatal(err)
	}
	h := f.Through(s)
	defer func() {
		if r := recover(); r == http.ErrAbortHandler {
			w = httptest.NewRecorder()
			w.Code = CutOff
		} else if r != nil {
			panic(fmt.Sprint(target, ": ", r))
		}
	}()
	f.store.FailAt(at)
	defer func() {
		steps = f.store.Steps()
		f.store.FailAt(0)
	}()
	return Get(f.t, h, target, "Accept", accept), nil
}

// FirstDifference shows where two texts begin to differ.
func FirstDifference(got, want string) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	cut := func(s string) string { return s[max(0, i-120):min(len(s), i+200)] }
	return "…" + cut(got) + "\nwant\n…" + cut(want)
}
