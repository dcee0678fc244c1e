package readiness

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"
)

// A need is missing after three checks in a row that fail, and met after two that don't; what comes in between changes nothing.
func TestAHistoryDecides(t *testing.T) {
	t.Parallel()
	var err error
	w := New(slog.New(slog.DiscardHandler), Need{"storage", func(context.Context) error { return err }}, Need{
		"database", func(context.Context) error { return nil },
	})
	for i, step := range []struct {
		fails   bool
		missing bool
	}{
		{false, false},
		{true, false},
		{true, false},
		{false, false},
		{true, false},
		{true, false},
		{true, true},
		{true, true},
		{false, true},
		{true, true},
		{false, true},
		{false, false},
		{true, false},
	} {
		if err = nil; step.fails {
			err = errors.New("away")
		}
		for _, n := range w.needs {
			w.check(t.Context(), n, time.Minute)
		}
		want := []string(nil)
		if step.missing {
			want = []string{"storage"}
		}
		if got := w.Missing(); !slices.Equal(got, want) {
			t.Errorf("after check %d: %q is missing, want %q", i, got, want)
		}
		if got, known := w.Met()["storage"]; got == step.missing || !known {
			t.Errorf("after check %d: met %v", i, got)
		}
	}
}

// A check that hangs is given up, and holds up no other need; at its end a watch says nothing new.
func TestALookThatHangs(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	looked := make(chan bool)
	w := New(slog.New(slog.DiscardHandler), Need{"storage", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}, Need{
		"database", func(context.Context) error { looked <- true; return nil },
	})
	ended := make(chan bool)
	go func() { w.Keep(ctx, time.Millisecond); close(ended) }()
	for len(w.Missing()) == 0 {
		<-looked
	}
	if got := w.Missing(); !slices.Equal(got, []string{"storage"}) {
		t.Errorf("%q is missing", got)
	}
	cancel()
	for {
		select {
		case <-looked:
		case <-ended:
			return
		}
	}
}
