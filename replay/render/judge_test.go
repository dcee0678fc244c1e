package render

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/internal/chromium"
)

// A page that can't be pictured leaves a note that says why; what is no fault of the page is an error.
func TestNotesOfPagesWithoutPicture(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err              error
		crowded          bool
		note             visual.Note
		pictured, failed bool
	}{
		{nil, false, visual.Cut, true, false},
		{nil, true, visual.Crowded, false, false},
		{errHung, true, visual.Hung, false, false},
		{errSilent, false, visual.Silent, false, false},
		{errCrashed, false, visual.Crashed, false, false},
		{fmt.Errorf("reading: %w", errLarge), false, visual.Large, false, false},
		{errHung, false, visual.Hung, false, false},
		{context.DeadlineExceeded, false, visual.Hung, false, false},
		{errors.New("no browser"), false, "", false, true},
	} {
		r := &Renderer{browser: &chromium.Process{}}
		v := &visit{parts: []visual.Part{{URL: "http://a.example/"}}, crowded: tt.crowded}
		p, shot, err := r.judge(&visual.Picture{Blocks: []visual.Block{{}}, Note: visual.Cut}, v, &visual.Shot{}, tt.err)
		if (err != nil) != tt.failed || (p == nil) != tt.failed || (shot != nil) != tt.pictured {
			t.Errorf("%v: %v, pictured: %t", tt.err, err, shot != nil)
		} else if p != nil && (p.Note != tt.note || len(p.Parts) != 1) {
			t.Errorf("%v: note %q, want %q; parts: %v", tt.err, p.Note, tt.note, p.Parts)
		}
	}
	for width, want := range map[int]int{1280: 960, 600: 450, 599: 1198, 390: 780} {
		if got := windowHeight(width); got != want {
			t.Errorf("a window %d wide is %d high, want %d", width, got, want)
		}
	}
}
