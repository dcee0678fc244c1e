package ingest

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/varve-archive/varve/internal/sleep"
)

// Changes come in bursts, so a pause in them is waited for; but not for as long as some file grows: others wait behind it.
func TestWaitingForAPause(t *testing.T) {
	t.Parallel()
	grown := fsnotify.Event{Name: "/store/crawl.warc.gz", Op: fsnotify.Write}
	for name, tt := range map[string]struct {
		event  fsnotify.Event
		every  time.Duration
		times  int
		within time.Duration
	}{
		"nothing":                      {grown, 0, 0, rescanInterval},
		"one change":                   {grown, time.Millisecond, 1, settleTime + time.Second},
		"a burst":                      {grown, settleTime / 10, 30, 4*settleTime + time.Second},
		"a file that grows all day":    {grown, settleTime / 2, 1 << 20, maxSettle + time.Second},
		"a file that nobody waits for": {fsnotify.Event{Name: "/store/crawl.open", Op: fsnotify.Write}, settleTime / 2, 1 << 20, rescanInterval},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &fsnotify.Watcher{Events: make(chan fsnotify.Event)}
				ctx, cancel := context.WithTimeout(t.Context(), 3*rescanInterval)
				defer cancel()
				go func() {
					for range tt.times {
						if sleep.For(ctx, tt.every) != nil {
							return
						}
						select {
						case w.Events <- tt.event:
						case <-ctx.Done():
							return
						}
					}
				}()
				began := time.Now()
				paused, err := nextChange(ctx, changesIn(ctx, w), false)
				if err != nil || time.Since(began) > tt.within || paused == (name == "a file that grows all day") {
					t.Errorf("paused %t, %v after %v, want within %v", paused, err, time.Since(began), tt.within)
				}
				cancel()
			})
		})
	}
}

// The watcher stops when nobody reads its events or its errors, so they are read also while a run goes on.
func TestChangesDuringARunAreNoticed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := &fsnotify.Watcher{Events: make(chan fsnotify.Event), Errors: make(chan error)}
		changes := changesIn(ctx, w)
		for range 3 {
			w.Errors <- fsnotify.ErrEventOverflow
		}
		for range 3 {
			w.Events <- fsnotify.Event{Name: "/store/a.warc.gz", Op: fsnotify.Create}
		}
		began := time.Now()
		if _, err := nextChange(ctx, changes, false); err != nil || time.Since(began) != settleTime {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		w.Errors <- fsnotify.ErrEventOverflow
		began = time.Now()
		if _, err := nextChange(ctx, changes, false); err != nil || time.Since(began) != settleTime {
			t.Errorf("after an error: %v after %v", err, time.Since(began))
		}
	})
}

// A file that can't be indexed takes a place in the file table for a moment, which makes all that was cached of the index stale. So it is
// left alone for a while, unless it changes.
func TestWhatCannotBeIndexedIsLeftAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		files := &bucket{t: t, objects: map[string]object{}}
		b := newBench(t, files)
		files.put("good.warc.gz", file("good", page("a", "alpha")))
		files.put("whole.warc.gz", pack(page("b", "beta")+page("c", "gamma")))
		unusable, tried, generations := map[string]unusableFile{}, 0, map[uint64]bool{}
		during := func(d time.Duration) {
			for range d / rescanInterval {
				r := newRun(b.config())
				r.unusable = unusable
				if err := r.runPatiently(t.Context(), []string{bucketRoot}); err != nil {
					t.Fatal(err)
				}
				tried += len(b.problems)
				b.problems = nil
				generations[b.x.Generation()] = true
				time.Sleep(rescanInterval)
			}
		}
		if during(6 * time.Hour); tried < 6 || tried > 9 || len(generations) > tried+1 {
			t.Errorf("tried %d times, the index changed %d times", tried, len(generations))
		}
		files.put("whole.warc.gz", file("whole", page("b", "beta")))
		during(rescanInterval)
		b.shows("a good.warc.gz", "b whole.warc.gz")
	})
}

// A run that comes while files change must not read what is half there. The next one comes soon, though nothing may change any more.
func TestWhatComesIsLeftUntilAPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		files := &bucket{t: t, objects: map[string]object{}}
		b := newBench(t, files)
		files.put("old.warc.gz", file("old", page("a", "alpha")))
		half := file("half", page("b", "beta"))
		put := func(content string, changed time.Time) {
			files.objects[bucketRoot+"/half.warc.gz"] = object{content, changed}
		}
		between := func(left bool) {
			t.Helper()
			r := newRun(b.config())
			r.leaveComing = true
			if err := r.runPatiently(t.Context(), []string{bucketRoot}); err != nil || r.left != left || len(b.problems) > 0 {
				t.Errorf("%v, left out %v, want %v; problems %q", err, r.left, left, b.problems)
			}
		}
		put(half[:len(half)-9], time.Now())
		between(true)
		b.shows("a old.warc.gz")
		put(half, time.Now())
		began := time.Now()
		if paused, err := nextChange(t.Context(), nil, true); err != nil || !paused || time.Since(began) != settleTime {
			t.Errorf("paused %v, %v, after %v", paused, err, time.Since(began))
		}
		between(false)
		b.shows("a old.warc.gz", "b half.warc.gz")
		put(half, time.Now().Add(time.Hour)) // by a clock that is ahead
		between(false)
	})
}
