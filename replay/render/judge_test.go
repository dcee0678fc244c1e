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
		note             visual.Note
		pictured, failed bool
	}{
		{nil, "", true, false},
		{errSilent, visual.Silent, false, false},
		{errCrashed, visual.Crashed, false, false},
		{fmt.Errorf("reading: %w", errLarge), visual.Large, false, false},
		{errHung, visual.Hung, false, false},
		{context.DeadlineExceeded, visual.Hung, false, false},
		{errors.New("no browser"), "", false, true},
	} {
		r := &Renderer{browser: &chromium.Process{}}
		p, shot, err := r.judge(&visual.Picture{Blocks: []visual.Block{{}}}, &visual.Shot{}, tt.err)
		if (err != nil) != tt.failed || (p == nil) != tt.failed || (shot != nil) != tt.pictured {
			t.Errorf("%v: %v, pictured: %t", tt.err, err, shot != nil)
		} else if p != nil && p.Note != tt.note {
			t.Errorf("%v: note %q, want %q", tt.err, p.Note, tt.note)
		}
	}
	for width, want := range map[int]int{1280: 960, 600: 450, 599: 1198, 390: 780} {
		if got := windowHeight(width); got != want {
			t.Errorf("a window %d wide is %d high, want %d", width, got, want)
		}
	}
}
