package loadlimit_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/internal/loadlimit"
)

func TestWorkStepsBackBehindRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g loadlimit.Gate
		release := make(chan bool)
		h := g.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
		pace := func(ctx context.Context, took time.Duration) (time.Duration, error) {
			began := time.Now()
			err := g.Pace(ctx, took)
			return time.Since(began), err
		}
		if waited, err := pace(t.Context(), time.Hour); waited != 0 || err != nil {
			t.Errorf("an idle server: waited %s, %v", waited, err)
		}
		go h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
		synctest.Wait()
		if waited, _ := pace(t.Context(), 10*time.Millisecond); waited < 190*time.Millisecond || waited > 200*time.Millisecond {
			t.Errorf("during a request, after a step of 10ms: waited %s", waited)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if waited, err := pace(ctx, time.Hour); waited != 20*time.Millisecond || err == nil {
			t.Errorf("stopped: waited %s, %v", waited, err)
		}
		go func() {
			time.Sleep(time.Second)
			release <- true
		}()
		if waited, _ := pace(t.Context(), time.Hour); waited != 1050*time.Millisecond {
			t.Errorf("until the request ended: waited %s", waited)
		}
		if waited, _ := pace(t.Context(), time.Hour); waited != 0 {
			t.Errorf("when all is quiet again: waited %s", waited)
		}
		if got := g.Waited(); got < time.Second || got > 2*time.Second {
			t.Errorf("waited %s in all", got)
		}
	})
}
