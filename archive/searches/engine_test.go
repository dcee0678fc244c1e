package searches_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
)

// A documents is no engine: it keeps single documents, which is where an engine has leases and the states of searches.
type documents struct {
	mu   sync.Mutex
	kept map[string][]byte
	fail bool // it refuses what it is asked
	asks int  // for anything but a document
}

func (d *documents) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	index, id, single := strings.Cut(strings.Replace(r.URL.Path, "-000001/", "/", 1), "/_doc/")
	switch body, _ := io.ReadAll(r.Body); {
	case d.fail:
		w.WriteHeader(http.StatusForbidden)
	case single && r.Method == http.MethodPut:
		d.kept[index+id] = body
		fmt.Fprint(w, "{}")
	case single && d.kept[index+id] != nil:
		fmt.Fprintf(w, `{"found":true,"_source":%s}`, d.kept[index+id])
	case single:
		w.WriteHeader(http.StatusNotFound)
	case strings.HasSuffix(r.URL.Path, "/_bulk"):
		actions := bytes.Count(body, []byte(`"routing"`))
		fmt.Fprintf(w, `{"items":[%s]}`, strings.TrimSuffix(strings.Repeat(`{"index":{"status":201}},`, actions), ","))
	case strings.HasSuffix(r.URL.Path, "/_stats/store"):
		fmt.Fprint(w, `{"_all":{"total":{"store":{"size_in_bytes":77}}}}`)
	default:
		d.asks++
		fmt.Fprint(w, "{}")
	}
}

// asked returns how often it was asked for anything but a document since the last call.
func (d *documents) asked() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, d.asks = d.asks, 0
	return n
}

func (d *documents) refuse(fail bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = fail
}

// lease gives every lease that was ever taken to another process, for some time.
func (d *documents) lease(t *testing.T, long time.Duration) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, body := range d.kept {
		var of map[string]any
		if err := json.Unmarshal(body, &of); err != nil {
			t.Fatal(err)
		}
		if of["by"] != nil {
			of["by"], of["until"] = "another", time.Now().Add(long).UnixMilli()
			d.kept[key], _ = json.Marshal(of)
		}
	}
}

// Servers share a search in an engine: each knows under which rules it was built, though another process built it, and that it can't answer
// while the engine can't.
func TestServersShareASearchInAnEngine(t *testing.T) {
	t.Parallel()
	kept := &documents{kept: map[string][]byte{}}
	node := httptest.NewServer(kept)
	defer node.Close()
	engine, err := opensearch.New(node.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	shelf := archivetest.Keep(t, edits()...)
	var policies []*access.Policy
	var log logbuffer.Buffer
	debug := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	opened := func(by string, change func(*searches.Config)) *searches.Searches {
		policies = append(policies, &access.Policy{})
		of := searches.Config{Engine: engine, By: by, Dir: t.TempDir()}
		change(&of)
		return over(t, archive.Config{
			Index: shelf.Index, Records: shelf, Access: policies[len(policies)-1], Log: debug,
		}, of)
	}
	one := opened("one", func(c *searches.Config) {
		c.Settings = func(coll string) *answers.Settings {
			return &answers.Settings{Rankings: map[string]*rank.Ranking{"of " + coll: rank.Default()}}
		}
	})
	two := opened("two", func(c *searches.Config) { c.Pace = func(context.Context, time.Duration) error { return nil } })
	reader := opened("reader", func(c *searches.Config) { c.ReadOnly = true })
	check := func(when string, s *searches.Searches, err error, want answers.State) {
		t.Helper()
		if _, got := s.Of("web"); !errors.Is(got, err) {
			t.Errorf("%s: %v, want %v", when, got, err)
		}
		if got, err := s.State(t.Context()); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", when, got, err, want)
		}
	}
	check("never built", two, nil, answers.State{Building: true})
	counts := func() bool {
		t.Helper()
		kept.asked()
		if _, err := two.CountTerms(t.Context(), uris(), answers.TermsQuery{}); err != nil {
			t.Error(err)
		}
		return kept.asked() > 0
	}
	if !counts() || counts() {
		t.Error("terms aren't counted once")
	}
	build(t, one)
	if !counts() {
		t.Error("terms aren't counted again once another process has built the search")
	}
	if two.ReadWords(t.Context()); kept.asked() == 0 {
		t.Error("words aren't read in advance")
	}
	if of, err := one.Of("web"); err != nil || fmt.Sprint(of.Settings().Names()) != "[of web]" {
		t.Errorf("the rankings of a collection: %q, %v", of.Settings().Names(), err)
	}
	check("built by another", two, nil, answers.State{Pages: 2, Searched: 2})
	if lacks, err := two.Lacks(t.Context(), "web"); lacks || err != nil { // others build it
		t.Errorf("it lacks something: %t, %v", lacks, err)
	}
	if n := hits(t, two, "web", "lakes"); n != 0 {
		t.Errorf("%d hits, of an engine that has none", n)
	}
	check("read only", reader, nil, answers.State{Pages: 2, Searched: 2})
	if two.Size("web") != 77 || two.Away(t.Context()) != nil {
		t.Errorf("%d bytes, %v", two.Size("web"), two.Away(t.Context()))
	}

	for _, p := range policies {
		p.Put(archivetest.Rules(t, `rules: [{url: "http://a.example/", access: exclude}]`))
	}
	check("under other rules", two, searches.ErrSearchBehind, answers.State{Pages: 2, Searched: 2})
	var say *searches.NoSearchError
	if _, err := reader.Of("web"); !errors.As(err, &say) {
		t.Errorf("read only, under other rules: %v", err)
	}
	kept.lease(t, time.Hour)
	if _, err := two.Build(t.Context(), "web", false, nil); !errors.Is(err, opensearch.ErrLeased) {
		t.Errorf("a server waits while another process builds: %v", err)
	}
	if wait := two.BuildAll(t.Context()); wait != 2*time.Second {
		t.Errorf("whether another process has built is looked at after %s", wait)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := one.Build(ctx, "web", false, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a command doesn't wait while another process builds: %v", err)
	}
	kept.lease(t, time.Second) // then the other process has ended
	build(t, one)
	check("built under them by a command that waited", two, nil, answers.State{Pages: 1, Searched: 1})

	kept.refuse(true)
	if _, err := two.Of("web"); !errors.Is(err, opensearch.ErrAway) {
		t.Errorf("refused: %v", err)
	}
	if n := two.Size("web"); n != 0 || two.Away(t.Context()) == nil {
		t.Errorf("refused: %d bytes, %v", n, two.Away(t.Context()))
	}
	if two.ReadWords(t.Context()); strings.Count(log.String(), "were not read ahead") != 1 {
		t.Errorf("that words can't be read isn't said once: %s", &log)
	}
}

// withEngineAway calls f with an engine that can't be reached, in a bubble of its own (synctest).
func withEngineAway(t *testing.T, f func(t *testing.T, engine *opensearch.Cluster)) {
	t.Helper()
	nobody := httptest.NewServer(nil)
	nobody.Close()
	synctest.Test(t, func(t *testing.T) {
		engine, err := opensearch.New(nobody.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer engine.Close()
		f(t, engine)
	})
}

// Where the engine can't be reached, another attempt follows, though nothing changes.
func TestAnEngineThatIsAwayIsTriedAgain(t *testing.T) {
	t.Parallel()
	withEngineAway(t, func(t *testing.T, engine *opensearch.Cluster) {
		shelf := archivetest.Keep(t, edits()...)
		s := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: &access.Policy{}}, searches.Config{Engine: engine, By: "one"})
		if wait := s.BuildAll(t.Context()); wait != time.Minute {
			t.Errorf("it follows after %s", wait)
		}
	})
}

// While an engine can't be reached, another attempt follows a minute after the last one gave up, and what indexing kept is not dropped.
func TestKeepTriesAnEngineThatIsAwayAMinuteLater(t *testing.T) {
	t.Parallel()
	withEngineAway(t, func(t *testing.T, engine *opensearch.Cluster) {
		r := newStagedRecords(t)
		r.index(t, "lakes", "ponds")
		var log logbuffer.Buffer
		s := over(t, archive.Config{Index: r.x, Records: r.counting, Log: log.Logger()},
			searches.Config{Engine: engine, By: "one", Staging: r.kept})
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Second) // an attempt takes 45 seconds
		defer cancel()
		s.Keep(ctx)
		if n := strings.Count(log.String(), "could not be updated"); n != 2 {
			t.Errorf("%d attempts:\n%s", n, &log)
		}
		inFolder := over(t, archive.Config{Index: r.x, Records: r.counting}, searches.Config{Dir: t.TempDir(), Staging: r.kept})
		defer inFolder.Close()
		if p := build(t, inFolder); p.Indexed.Load() != 2 || r.counting.n.Load() != 0 {
			t.Errorf("%d pages indexed, %d records read for what indexing kept", p.Indexed.Load(), r.counting.n.Load())
		}
	})
}
