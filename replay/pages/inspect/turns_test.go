package inspect

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
)

// Who would parse a page waits for a place, is told to come again after a while, and leaves with the client.
func TestPagesAreParsedInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Handler{busy: make(chan struct{}, 1)}
		s.busy <- struct{}{}
		for _, a := range []*ask{{element: 3}, {element: -1, text: "- {name: a, css: b}"}} {
			err := s.point(t.Context(), &inspection{ask: a, capture: &cdx.Capture{MIME: "text/html"}})
			if f := respond.AsFailure(err); f.Status != http.StatusServiceUnavailable || f.Header.Get("Retry-After") == "" {
				t.Errorf("%v", err)
			}
		}
		gone, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		err := s.point(gone, &inspection{ask: &ask{element: 3}, capture: &cdx.Capture{MIME: "text/html"}})
		if !errors.Is(err, context.Canceled) || time.Since(began) > time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if err := s.point(t.Context(), &inspection{ask: &ask{element: -1}, capture: &cdx.Capture{}}); err != nil {
			t.Errorf("without a question: %v", err)
		}
	})
}

// A place is given back while a version is sent. If there is none, the rest is told to be asked for again.
func TestVersionsAreReadInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Handler{busy: make(chan struct{}, 1)}
		r := change.Range{Kind: change.Redirect}
		rd := &reading{s: s, tl: &timeline.Timeline{Captures: make([]cdx.Capture, 1)}, ranges: []change.Range{r, r, r}}
		var got []note
		err := rd.rows(t.Context(), 0, 0, func(r *row) bool {
			got = append(got, r.note)
			if len(s.busy) > 0 && len(got) == 1 {
				t.Error("a place is held while a version is sent")
				return false
			}
			if len(got) == 1 {
				s.busy <- struct{}{} // another has it from now on
			}
			return true
		})
		if err != nil || len(got) != 2 || got[0] != isRedirect || got[1] != isAhead {
			t.Errorf("%v: %v", got, err)
		}
	})
}
