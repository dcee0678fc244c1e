package ingest

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
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
		"nothing":                      {grown, 0, 0, patrol},
		"one change":                   {grown, time.Millisecond, 1, settle + time.Second},
		"a burst":                      {grown, settle / 10, 30, 4*settle + time.Second},
		"a file that grows all day":    {grown, settle / 2, 1 << 20, longest + time.Second},
		"a file that nobody waits for": {fsnotify.Event{Name: "/store/crawl.open", Op: fsnotify.Write}, settle / 2, 1 << 20, patrol},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &fsnotify.Watcher{Events: make(chan fsnotify.Event)}
				ctx, cancel := context.WithTimeout(t.Context(), 3*patrol)
				defer cancel()
				go func() {
					for range tt.times {
						time.Sleep(tt.every)
						select {
						case w.Events <- tt.event:
						case <-ctx.Done():
							return
						}
					}
				}()
				began := time.Now()
				paused, err := nextChange(ctx, w, false)
				if err != nil || time.Since(began) > tt.within || paused == (name == "a file that grows all day") {
					t.Errorf("paused %t, %v after %v, want within %v", paused, err, time.Since(began), tt.within)
				}
				cancel()
			})
		})
	}
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
		if paused, err := nextChange(t.Context(), nil, true); err != nil || !paused || time.Since(began) != settle {
			t.Errorf("paused %v, %v, after %v", paused, err, time.Since(began))
		}
		between(false)
		b.shows("a old.warc.gz", "b half.warc.gz")
		put(half, time.Now().Add(time.Hour)) // by a clock that is ahead
		between(false)
	})
}
