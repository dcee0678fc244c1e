package engine

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
)

// Who would take a page apart waits, is told to come again after a while, and leaves with the client.
func TestStillsAreMadeInTurn(t *testing.T) {
	before := stills
	defer func() { stills = before }()
	synctest.Test(t, func(t *testing.T) {
		stills = make(chan struct{}, 1)
		stills <- struct{}{}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		_, err := (&answer{s: &Handler{}, r: r}).still(&cdx.Capture{}, "")
		if f := respond.AsFailure(err); f.Status != http.StatusServiceUnavailable || f.Header.Get("Retry-After") == "" {
			t.Errorf("%v", err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := (&answer{s: &Handler{}, r: r.WithContext(gone)}).still(&cdx.Capture{}, ""); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}
