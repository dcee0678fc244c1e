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
				if err := nextChange(ctx, w); err != nil || time.Since(began) > tt.within {
					t.Errorf("%v after %v, want within %v", err, time.Since(began), tt.within)
				}
				cancel()
			})
		})
	}
}
