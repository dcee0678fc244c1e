package absent_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A request that its client gave up must not get an empty 200: a client that ended only its input would read it.
func TestAGivenUpRequestGetsNoAnswer(t *testing.T) {
	s, _ := replaytest.Serve(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	defer func() {
		if p := recover(); p != http.ErrAbortHandler || w.Body.Len() > 0 {
			t.Errorf("panic %v, %d %q", p, w.Code, w.Body)
		}
	}()
	r := httptest.NewRequest(http.MethodGet, "/web/http://www.riverbend.example/never", nil)
	s.Handler().ServeHTTP(w, r.WithContext(ctx))
	t.Error("the handler returned, so that the server sends an empty 200")
}
