package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
)

// pair returns two indexes on one store, like those of two processes; the second follows the first.
func pair(t *testing.T) (one, two *Index) {
	t.Helper()
	s := kvtest.NewMemory()
	one, two = openOn(t, s), openOn(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	followed := make(chan error, 1)
	go func() { followed <- two.Follow(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-followed; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return one, two
}

// await waits until two shows what one shows.
func await(t *testing.T, one, two *Index) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); two.Generation() != one.Generation(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("generation %d was not followed, %d is", one.Generation(), two.Generation())
		}
	}
	if a, b := fmt.Sprint(one.Files()), fmt.Sprint(two.Files()); a != b {
		t.Errorf("one has %s, the other %s", a, b)
	}
}

func TestAnIndexFollowsWhatAnotherProcessWrites(t *testing.T) {
	synctest.Test(t, testAnIndexFollowsWhatAnotherProcessWrites)
}

func testAnIndexFollowsWhatAnotherProcessWrites(t *testing.T) {
	one, two := pair(t)
	for i := range 3 {
		id := put(t, one, fmt.Sprint(i), page("http://example.com/", cdx.Timestamp(20140101+i)))
		await(t, one, two)
		if n := len(collect(t, two.Captures(t.Context(), cdx.Span{Coll: "web"}))); n != 1 {
			t.Errorf("round %d: %d captures, want 1", i, n)
		}
		if err := one.RemoveFiles(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		await(t, one, two)
		if n := len(collect(t, two.Captures(t.Context(), cdx.Span{Coll: "web"}))); n != 0 {
			t.Errorf("round %d: %d captures of a removed file", i, n)
		}
	}
}

func TestFollowReturnsWhereNobodyElseWrites(t *testing.T) {
	t.Parallel()
	if err := openOn(t, stores["badger"](t)).Follow(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestProcessesGiveNoIDTwice(t *testing.T) {
	t.Parallel()
	s := kvtest.NewMemory()
	var mu sync.Mutex
	var wg sync.WaitGroup
	given := map[cdx.FileID]int{}
	for p := range 4 {
		x := openOn(t, s)
		wg.Go(func() {
			for i := range 25 {
				id, err := x.PutFile(t.Context(), File{Collection: "web", Name: fmt.Sprint(p, i)})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				given[id]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(given) != 100 || given[0] != 0 {
		t.Errorf("%d IDs for 100 files: %v", len(given), given)
	}
	x := openOn(t, s)
	if x.Has("web") || len(x.Collections()) > 0 {
		t.Errorf("files that were only begun are served: %q", x.Collections())
	}
	if n := len(x.Files()); n != 100 || x.Generation() != 100 {
		t.Errorf("opened anew: %d files at generation %d", n, x.Generation())
	}
}

func TestNoIDIsGivenAgain(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		first := put(t, x, "a", page("http://example.com/", 20140101))
		if err := x.RemoveFiles(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		again := openOn(t, x.store)
		if second := put(t, again, "b", page("http://example.com/", 20140101)); second != first+1 {
			t.Errorf("the file after file %d, which is gone, is file %d", first, second)
		}
	})
}

// The journal contains each file once, under its last change.
func TestTheJournalDoesNotOutgrowTheTable(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		a, b := put(t, x, "a"), put(t, x, "b")
		for range 5 {
			if _, err := x.PutFile(t.Context(), File{ID: a, Collection: "web", Name: "a", Done: true}); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.RemoveFiles(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if n := entries(t, x, journalPrefix); n != 2 {
			t.Errorf("%d entries for two files, one of them gone", n)
		}
		f, _ := x.File(a)
		if f.Changed != x.Generation()-2 { // first it was hidden, then removed
			t.Errorf("the file was changed at %d, the generation is %d", f.Changed, x.Generation())
		}
	})
}

// While a Writer of another process is at work, no text is swept. Once its lease has run out, texts are.
func TestASweepWaitsForWritersOfOtherProcesses(t *testing.T) {
	synctest.Test(t, testASweepWaitsForWritersOfOtherProcesses)
}

func testASweepWaitsForWritersOfOtherProcesses(t *testing.T) {
	one, two := pair(t)
	id := putTexts(t, one, "web", "a", 1)
	await(t, one, two)
	w := two.Writer(t.Context(), "web")
	if err := one.RemoveFiles(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if n := entries(t, one, textPrefix); n != 1 {
		t.Errorf("%d texts while a Writer of another process is at work, want the one", n)
	}
	resolve := func() int {
		t.Helper()
		if _, _, err := one.Resolve(t.Context()); err != nil {
			t.Fatal(err)
		}
		return entries(t, one, textPrefix)
	}
	if n := resolve(); n != 1 {
		t.Errorf("%d texts, still at work", n)
	}
	time.Sleep(2 * leaseTime)
	if n := resolve(); n != 1 || w.hold.leaseError() != nil {
		t.Errorf("%d texts, at work for longer than a lease, %v", n, w.hold.leaseError())
	}
	expire(t, one)
	if n := resolve(); n != 0 {
		t.Errorf("%d texts after the lease ran out", n)
	}
	if err := w.hold.renew(t.Context()); err == nil {
		t.Error("a Writer whose lease ran out, and was swept over, may go on")
	}
	time.Sleep(leaseTime)
	if err := w.Flush(); err == nil {
		t.Error("such a Writer writes without a word")
	}
	w.Cancel()
}

// expire makes all leases run out.
func expire(t *testing.T, x *Index) {
	t.Helper()
	err := x.workers.change(t.Context(), func(all holders) error {
		for name, h := range all {
			h.Until = time.Now().Add(-time.Second)
			all[name] = h
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A clock that jumps ends no lease of the process that holds it: neither does a sweep begin while it writes, nor does it
// write during its own sweep.
func TestClockJumpsEndNoLeaseOfOnesOwn(t *testing.T) {
	t.Parallel()
	x := openOn(t, kvtest.NewMemory())
	writer, err := x.workers.holdAsWriter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	expire(t, x) // as if the clock had been put forward
	if _, err := x.workers.holdAsSweep(t.Context()); err != errBusy {
		t.Errorf("a sweep begins while a Writer is at work: %v", err)
	}
	writer.release()
	sweep, err := x.workers.holdAsSweep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	expire(t, x)
	ctx, cancel := context.WithTimeout(t.Context(), 5*waitForSweep)
	defer cancel()
	if _, err := x.workers.holdAsWriter(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a Writer begins during a sweep: %v", err)
	}
	sweep.release()
}

func TestAWriterWaitsForASweep(t *testing.T) {
	t.Parallel()
	one, two := pair(t)
	sweep, err := one.workers.holdAsSweep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*waitForSweep)
	defer cancel()
	if err := two.Writer(ctx, "web").Flush(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a Writer began during a sweep: %v", err)
	}
	if _, err := two.workers.holdAsSweep(t.Context()); err != errBusy {
		t.Errorf("two sweeps at once: %v", err)
	}
	time.AfterFunc(2*waitForSweep, sweep.release)
	if err := two.Writer(t.Context(), "web").Flush(); err != nil {
		t.Errorf("after the sweep: %v", err)
	}
	if _, err := one.workers.holdAsSweep(t.Context()); err != nil {
		t.Errorf("the Writer has ended, but %v", err)
	}
}

// A lease is renewed as long as its holder works.
func TestALeaseIsRenewed(t *testing.T) {
	t.Parallel()
	x := openOn(t, kvtest.NewMemory())
	h, err := x.workers.holdAsWriter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	expire(t, x)
	if err := h.renew(t.Context()); err != nil {
		t.Error(err)
	}
	all := held(t, x)
	if left := time.Until(all[h.name].Until); len(all) != 1 || left < leaseTime/2 {
		t.Errorf("%v, %s left", all, left)
	}
	h.release()
	h.release()
	if all := held(t, x); len(all) != 0 {
		t.Errorf("released, but %v", all)
	}
}

func held(t *testing.T, x *Index) (all holders) {
	t.Helper()
	err := x.store.View(t.Context(), func(s kv.Snapshot) error {
		return s.Get(holdersKey.key(), func(v []byte) error { return json.Unmarshal(v, &all) })
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A killed process leaves a hold behind. If only one process uses the store, that doesn't hinder the next one.
func TestAHoldOfADeadProcessIsDropped(t *testing.T) {
	t.Parallel()
	s := stores["badger"](t)
	dead := openOn(t, s)
	id := putTexts(t, dead, "web", "a", 1)
	dead.Writer(t.Context(), "web")
	x := openOn(t, s)
	if err := x.RemoveFiles(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if n := entries(t, x, textPrefix); n != 0 {
		t.Errorf("%d texts are kept for a process that is dead", n)
	}
}

// A process can't always tell the store that it has finished. It must not wait for itself then.
func TestAHoldThatCouldNotBeReleasedIsDropped(t *testing.T) {
	t.Parallel()
	faulty := kvtest.NewFaulty(kvtest.NewMemory())
	x := openOn(t, faulty)
	h, err := x.workers.holdAsSweep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	faulty.FailAt(1)
	h.release()
	if all := held(t, x); len(all) != 1 {
		t.Fatalf("%v: want the one that wasn't released", all)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := x.Writer(ctx, "web").Flush(); err != nil {
		t.Error(err)
	}
}

// Readers see all captures of a file or none, while files come and go.
func TestReadersSeeWholeFiles(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		const each = 40
		x := open(t)
		var pages []cdx.Capture
		for i := range each {
			pages = append(pages, page("http://example.com/", cdx.Timestamp(20140101+i)))
		}
		ended, ctx := make(chan struct{}), t.Context()
		go func() {
			defer close(ended)
			for i := range 30 {
				id := put(t, x, fmt.Sprint(i), pages...)
				if i%2 == 0 {
					if err := x.RemoveFiles(ctx, id); err != nil {
						t.Error(err)
					}
				}
			}
		}()
		for reading := true; reading; {
			select {
			case <-ended:
				reading = false
			default:
			}
			of := map[string]int{}
			for c, err := range x.Captures(ctx, cdx.Span{Coll: "web"}) {
				if err != nil {
					t.Fatal(err)
				}
				of[c.FileName]++
			}
			for name, n := range of {
				if n != each {
					t.Fatalf("file %s shows %d of its %d captures", name, n, each)
				}
			}
		}
	})
}

// A store of another format is refused, and one that can't be written is read as long as it is an index.
func TestOtherFormatsAreRefused(t *testing.T) {
	t.Parallel()
	s := kvtest.NewMemory()
	if _, err := New(t.Context(), unwritable{s}); !errors.Is(err, kv.ErrReadOnly) {
		t.Errorf("an empty store that can't be written: %v", err)
	}
	openOn(t, s)
	if _, err := New(t.Context(), unwritable{s}); err != nil {
		t.Errorf("an index that can't be written: %v", err)
	}
	b := s.Batch(t.Context())
	if err := errors.Join(b.Set(formatKey.key(), []byte("varve-8")), b.Flush()); err != nil {
		t.Fatal(err)
	}
	_, err := New(t.Context(), s)
	if err == nil || !strings.Contains(err.Error(), `has format "varve-8"`) || !strings.Contains(err.Error(), "again") {
		t.Errorf("another format: %v", err)
	}
}

// unwritable is a store that is only read.
type unwritable struct{ kv.Store }

func (unwritable) Update(context.Context, func(kv.Txn) error) error { return kv.ErrReadOnly }
