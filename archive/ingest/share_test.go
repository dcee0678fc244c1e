package ingest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// Runs of several processes that begin at the same time read each file once, and each run returns when all are there.
func TestProcessesShareTheWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testProcessesShareTheWork) // they wait for each other
}

func testProcessesShareTheWork(t *testing.T) {
	const files, processes = 30, 3
	shelf := shelves["local"](t)
	for i := range files {
		name := fmt.Sprintf("%02d.warc.gz", i)
		shelf.put(name, file(name, page(name, "text")))
	}
	b := newBench(t, shelf)
	var wg sync.WaitGroup
	var mu sync.Mutex
	read := int64(0)
	for range processes {
		cfg := b.config()
		x, err := index.New(t.Context(), b.store)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Index, cfg.Await = x, true
		wg.Go(func() {
			p, err := Run(t.Context(), cfg, []string{shelf.folder()})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			read += p.Files.Load()
			n := 0
			for range x.Captures(t.Context(), cdx.Span{Coll: "web"}) {
				n++
			}
			if n != files {
				t.Errorf("a run ended with %d of %d captures", n, files)
			}
		})
	}
	wg.Wait()
	if read != files {
		t.Errorf("%d files were read, want each of %d once", read, files)
	}
	b.wantProblems()
}

// Without Await, a run passes over what another process is indexing.
func TestAServerPassesOverWhatOthersIndex(t *testing.T) {
	t.Parallel()
	shelf := shelves["local"](t)
	for _, name := range []string{"a.warc.gz", "b.warc.gz"} {
		shelf.put(name, file(name, page(name, "text")))
	}
	b := newBench(t, shelf)
	other, err := index.New(t.Context(), b.store)
	if err != nil {
		t.Fatal(err)
	}
	claim, err := other.Claim(t.Context(), "web", "a.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	b.run(1)
	b.shows("b.warc.gz b.warc.gz")
	claim.Release()
	b.run(1)
	b.shows("a.warc.gz a.warc.gz", "b.warc.gz b.warc.gz")
}

// While another process imports an index file, a server passes over its own, which is no problem of the file; the next run imports it.
func TestAServerPassesOverAnImport(t *testing.T) {
	t.Parallel()
	shelf := shelves["local"](t)
	b := newBench(t, shelf)
	other, err := index.New(t.Context(), b.store)
	if err != nil {
		t.Fatal(err)
	}
	claim, err := other.ClaimImport(t.Context(), "web")
	if err != nil {
		t.Fatal(err)
	}
	shelf.put("x.cdx", lines("named.warc.gz", "e"))
	for _, shown := range [][]string{nil, {"e named.warc.gz"}} {
		b.named("x.cdx")
		b.shows(shown...)
		b.wantProblems()
		claim.Release()
	}
}

// An index that can't be reached for a while is waited for: no file is reported as bad, none is left out.
func TestARunWaitsForItsIndex(t *testing.T) {
	const opening, all = 2, 48 // calls of the store when an index is opened, and about those of the run
	for well := opening; well < all; well += 5 {
		t.Run(fmt.Sprintf("away after %d calls", well), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { waitForIndex(t, well) })
		})
	}
}

// waitForIndex wants a run to end well whose index can't be reached for some calls after so many others.
func waitForIndex(t *testing.T, well int) {
	shelf := shelves["local"](t)
	for i := range 4 {
		name := fmt.Sprintf("%d.warc.gz", i)
		shelf.put(name, file(name, page(name, "text"), page(name+"/more", "more text")))
	}
	b := newBench(t, shelf)
	away := &awayStore{Shared: b.store.(kv.Shared)}
	away.calls.Store(-int64(well))
	x, err := index.New(t.Context(), away)
	if err != nil {
		t.Fatal(err)
	}
	b.x = x
	p, err := Run(t.Context(), b.config(), []string{shelf.folder()})
	if err != nil {
		t.Fatal(err)
	}
	if away.refused.Load() == 0 {
		t.Error("the index was never away")
	}
	// A file may be in the index although the call that followed failed: the next round finds it there, and doesn't count it.
	if n := p.Files.Load(); n < 2 || n > 4 {
		t.Errorf("%d files were read, want 4, or one less for each of the two workers", n)
	}
	b.wantProblems()
	b.open() // as it is stored
	n := 0
	for _, err := range b.x.Captures(t.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 8 {
		t.Errorf("%d captures, want 8", n)
	}
}

// An awayStore can't be reached for a while.
type awayStore struct {
	kv.Shared
	calls, refused atomic.Int64
}

func (s *awayStore) away() error {
	if n := s.calls.Add(1); n > 0 && n <= 4 {
		s.refused.Add(1)
		return fmt.Errorf("%w: it was said", kv.ErrUnavailable)
	}
	return nil
}

func (s *awayStore) View(ctx context.Context, f func(kv.Snapshot) error) error {
	if err := s.away(); err != nil {
		return err
	}
	return s.Shared.View(ctx, f)
}

func (s *awayStore) Update(ctx context.Context, f func(kv.Txn) error) error {
	if err := s.away(); err != nil {
		return err
	}
	return s.Shared.Update(ctx, f)
}

// One process is given an index file, others the files that it names, and another one an index file that names the same: whoever comes
// first, each file is in the index once, as its records tell.
func TestProcessesShareWhatIndexFilesName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testProcessesShareWhatIndexFilesName) // they wait for each other
}

func testProcessesShareWhatIndexFilesName(t *testing.T) {
	const files = 6
	shelf := shelves["local"](t)
	for i := range files {
		name := fmt.Sprintf("%02d.warc.gz", i)
		shelf.put("warcs/"+name, file(name, page(name, "text of "+name)))
	}
	alone := newBench(t, shelf)
	alone.run(files)
	lines := " CDX N b a m s k r M S V g\n"
	for c, err := range alone.x.Captures(t.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			t.Fatal(err)
		}
		lines += fmt.Sprintf("%s %d %s text/html 200 - - - %d %d %s\n", c.Key, c.Time, c.URL, c.Length, c.Offset, c.FileName)
	}
	shelf.put("one/x.cdx", lines)
	shelf.put("two/y.cdx", lines+"\n")
	b := newBench(t, shelf)
	var wg sync.WaitGroup
	for _, given := range []string{"one/x.cdx", "warcs", "two/y.cdx", "warcs"} {
		cfg := b.config()
		x, err := index.New(t.Context(), b.store)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Index, cfg.Await = x, true
		wg.Go(func() {
			if _, err := Run(t.Context(), cfg, []string{shelf.folder() + "/" + given}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	x, err := index.New(t.Context(), b.store)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]int{}
	for _, f := range x.Files() {
		names[f.Name]++
		if !f.Done || f.Imported {
			t.Errorf("%s is done: %t, imported: %t", f.Name, f.Done, f.Imported)
		}
	}
	n := 0
	for c, err := range x.Captures(t.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; c.Text == 0 {
			t.Errorf("%s of %s is as a line told it", c.URL, c.FileName)
		}
	}
	if len(names) != files+2 || n != files {
		t.Errorf("%d captures of %v", n, names)
	}
	for name, times := range names {
		if times != 1 {
			t.Errorf("%s is there %d times", name, times)
		}
	}
}
