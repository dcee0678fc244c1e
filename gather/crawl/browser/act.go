package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/sleep"
)

const (
	lookInterval  = 100 * time.Millisecond // between two attempts to find an element
	scrollTime    = 60 * time.Second       // to the end of a page that grows
	maxRounds     = 200                    // of that
	maxViews      = 20                     // through which a page is scrolled if no step says how
	maxPageHeight = 1 << 30                // page, in pixels
)

const (
	errNotThere = sentinel.Error("there is no such element to be seen")
	errThere    = sentinel.Error("it is still there")
	errNoField  = sentinel.Error("nothing can be written there")
	errNoOption = sentinel.Error("there is no such option")
	errTooOften = sentinel.Error("it was repeated as often as it may, and what it was to lead to did not come")
)

// act performs the steps in order. A failed step is recorded, and the next ones follow.
func (t *tab) act(shown *Shown) {
	if len(t.visit.Steps) == 0 {
		if t.visit.Scrolls {
			t.scrollThrough()
		}
		return
	}
	t.mu.Lock()
	t.acting = true
	t.mu.Unlock()
	for i, s := range t.visit.Steps {
		err := t.perform(&s)
		if t.ctx.Err() != nil {
			return
		}
		if err != nil && !(s.Optional && expected(err)) {
			shown.Failed = append(shown.Failed, Failure{Number: i + 1, Step: s, Err: err})
		}
	}
}

// expected reports whether an optional step may fail with this error.
func expected(err error) bool {
	return errors.Is(err, errNotThere) || errors.Is(err, errThere) || errors.Is(err, errTooOften)
}

func (t *tab) perform(s *Step) error {
	if s.Verb == Scroll && s.Pixels == 0 {
		return t.scrollToEnd()
	}
	if s.All {
		return t.clickAll(s)
	}
	for n := range s.repeated() {
		if t.reached(s) {
			return nil
		}
		err := t.do(s)
		switch {
		case err != nil && n > 0 && errors.Is(err, errNotThere) && s.Until == "":
			return nil // the element that was clicked is gone
		case err != nil:
			return err
		}
		if s.Verb != Wait && s.Verb != Until && s.Verb != Gone {
			t.settle(t.ctx)
		}
	}
	if s.Until == "" && s.Gone == "" || t.reached(s) {
		return nil
	}
	return errTooOften
}

// reached reports whether the condition that ends a repetition is met.
func (t *tab) reached(s *Step) bool {
	switch {
	case s.Until != "":
		n, _ := t.find(t.ctx, s.Until)
		return n > 0
	case s.Gone != "":
		n, err := t.find(t.ctx, s.Gone)
		return n == 0 && err == nil
	}
	return false
}

func (t *tab) do(s *Step) error {
	ctx, cancel := context.WithTimeout(t.ctx, maxWait+10*time.Second)
	defer cancel()
	switch s.Verb {
	case Wait:
		return sleep.For(ctx, s.For)
	case Scroll:
		return t.call(ctx, t.main, nil, "scroll", s.Pixels)
	case Press:
		key, ok := keys[s.Key]
		if !ok {
			key = s.Key
		}
		return chromedp.Do(ctx, chromedp.KeyEvent(key))
	case Gone:
		_, _, err := t.await(ctx, s, false)
		return err
	}
	frame, _, err := t.await(ctx, s, true)
	if err != nil {
		return err
	}
	switch s.Verb {
	case Click:
		return t.click(ctx, frame.ID, 0)
	case Fill:
		return t.fill(ctx, frame, s)
	case Select:
		var ok bool
		if err := t.call(ctx, frame.ID, &ok, "choose", s.Option); err != nil || ok {
			return err
		}
		return errNoOption
	}
	return nil
}

// find searches the frames of the page, marks the matching elements of the first frame that has any, and returns their number.
func (t *tab) find(ctx context.Context, on Selector) (n int, err error) {
	frames, err := t.frames(ctx)
	if err == nil {
		_, n, err = t.findIn(ctx, frames, on)
	}
	return n, err
}

// findFor finds the elements of a step in the frames in which the step may be performed.
func (t *tab) findFor(ctx context.Context, s *Step) (in *cdp.Frame, n int, err error) {
	frames, err := t.frames(ctx)
	if err != nil {
		return nil, 0, err
	}
	if s.Verb == Fill {
		frames = t.trusted(ctx, frames)
	}
	return t.findIn(ctx, frames, s.On)
}

func (t *tab) findIn(ctx context.Context, frames []*cdp.Frame, on Selector) (in *cdp.Frame, n int, err error) {
	for i, frame := range frames {
		failed := t.call(ctx, frame.ID, &n, "mark", string(on), on.path())
		if failed == nil && n > 0 {
			return frame, n, nil
		}
		if i == 0 {
			err = failed
		}
	}
	return nil, 0, err
}

// await waits until an element is visible or, if there is false, until none is. It returns the frame in which the elements are marked, and
// their number.
func (t *tab) await(ctx context.Context, s *Step, there bool) (in *cdp.Frame, n int, err error) {
	limited, cancel := context.WithTimeout(ctx, s.patience())
	defer cancel()
	for {
		in, n, err = t.findFor(limited, s)
		switch {
		case err == nil && n > 0 == there:
			return in, n, nil
		case sleep.For(limited, lookInterval) == nil:
		case ctx.Err() != nil:
			return nil, 0, ctx.Err()
		case there:
			return nil, 0, errNotThere
		default:
			return nil, 0, errThere
		}
	}
}

// A point is where page.js says that an element can be clicked.
type point struct {
	X, Y          float64
	Gone, Covered bool
}

// click clicks a marked element: with the mouse if that would reach it; by script if something covers it or it is in a frame.
func (t *tab) click(ctx context.Context, frame cdp.FrameID, number int) error {
	var at point
	if err := t.call(ctx, frame, &at, "point", number); err != nil {
		return err
	}
	if at.Gone {
		return errNotThere
	}
	if at.Covered || frame != t.main {
		return t.call(ctx, frame, nil, "push", number)
	}
	for _, m := range []input.DispatchMouseEventParams{
		{Type: input.DispatchMouseEventTypeMouseMoved},
		{Type: input.DispatchMouseEventTypeMousePressed, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1},
		{Type: input.DispatchMouseEventTypeMouseReleased, Button: input.MouseButtonLeft, ClickCount: 1},
	} {
		m.X, m.Y = at.X, at.Y
		if _, err := chromedp.Call(ctx, input.DispatchMouseEvent, m); err != nil {
			return err
		}
	}
	return nil
}

// clickAll clicks every element that matches now.
func (t *tab) clickAll(s *Step) error {
	ctx, cancel := context.WithTimeout(t.ctx, maxWait)
	defer cancel()
	frame, n, err := t.await(ctx, s, true)
	if err != nil {
		return err
	}
	for i := range min(n, maxTimes) {
		if err := t.click(ctx, frame.ID, i); err != nil && !errors.Is(err, errNotThere) {
			return fmt.Errorf("element %d: %w", i+1, err)
		}
		t.settle(ctx)
	}
	return nil
}

// fill types into a field like a keyboard. It types nothing if the frame has navigated to another origin meanwhile.
func (t *tab) fill(ctx context.Context, frame *cdp.Frame, s *Step) error {
	text, _, err := s.Text(os.LookupEnv)
	if err != nil {
		return err
	}
	var done bool
	if err := t.call(ctx, frame.ID, &done, "fill", text, frame.SecurityOrigin); err != nil || done {
		return err
	}
	return errNoField
}

// scrollThrough brings the page into view and goes back to its top, so that what waits for that loads, and the page is as it was where it
// shows only what is in view. It doesn't wait for the end of a page that grows.
func (t *tab) scrollThrough() {
	ctx, cancel := context.WithTimeout(t.ctx, t.wait)
	defer cancel()
	for view := range maxViews {
		var at struct{ End bool }
		if t.call(ctx, t.main, &at, "scroll", 0) != nil || at.End && view == 0 {
			return
		}
		if sleep.For(ctx, lookInterval/2) != nil || at.End {
			break
		}
	}
	_ = t.call(ctx, t.main, nil, "scroll", -maxPageHeight) // the page may be gone
	t.settle(ctx)
}

// scrollToEnd scrolls until the page stops growing, or until a time limit.
func (t *tab) scrollToEnd() error {
	ctx, cancel := context.WithTimeout(t.ctx, scrollTime)
	defer cancel()
	var last float64
	for range maxRounds {
		var at struct {
			Height float64
			End    bool
		}
		if err := t.call(ctx, t.main, &at, "scroll", 0); err != nil {
			if ctx.Err() != nil && t.ctx.Err() == nil {
				return nil // the end isn't reached
			}
			return err
		}
		if !at.End {
			if sleep.For(ctx, lookInterval) != nil {
				return t.ctx.Err()
			}
			continue
		}
		if at.Height == last {
			return nil
		}
		last = at.Height
		t.settle(ctx)
	}
	return nil
}
