package memento

import (
	"iter"

	"github.com/varve-archive/varve/cdx"
)

// failureReach is how far a failed capture gives way to a good one, in seconds: a site that was down
// is usually up within the day, and a reader wants the page, not its error message.
const failureReach = 24 * 60 * 60

// maxHeld bounds how many captures are looked at beyond a failed one. A URI-R crawled every minute
// has fewer within the day's reach on both sides.
const maxHeld = 4_096

// Nearer reports whether a is the better answer to want than b by time alone: the smaller distance,
// on a tie the earlier. RFC 7089 §4.5.3 asks for the first memento before the first and the last after
// the last, which follows.
func Nearer(want, a, b cdx.Timestamp) bool {
	da, db := want.Distance(a), want.Distance(b)
	return da < db || da == db && a < b
}

// Preferred orders the candidates for the datetime want as an archive should try them. The candidates
// come nearest first (as [Nearer] has it); they go on in that order, but a failed capture (5xx, 429,
// truncated) only after the good ones within 24 hours of it. RFC 7089 §4.5.4 and §4.5.5 let 3xx and 4xx
// be mementos like others, so those do not give way.
//
// The caller takes the first that turns out usable, as many as it takes. A failed capture is kept by
// copy, so candidates may yield the same Capture again and again. An error ends the order.
func Preferred(want cdx.Timestamp, candidates iter.Seq2[*cdx.Capture, error]) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		var p preference
		for c, err := range candidates {
			if err != nil {
				p.drain(yield)
				yield(nil, err)
				return
			}
			if !p.offer(want, c, yield) {
				return
			}
		}
		p.drain(yield)
	}
}

// preference holds the candidates that wait behind a failed one. held[0] is that one.
type preference struct {
	held []cdx.Capture
}

// offer takes the next candidate and yields what is decided by it. It reports whether to go on.
func (p *preference) offer(want cdx.Timestamp, c *cdx.Capture, yield func(*cdx.Capture, error) bool) bool {
	for len(p.held) > 0 {
		f := &p.held[0]
		switch {
		case want.Distance(c.Time) > want.Distance(f.Time)+failureReach, len(p.held) >= maxHeld:
			if !p.release(yield) { // nothing good within reach can come any more
				return false
			}
			continue
		case !c.Failed() && f.Time.Distance(c.Time) <= failureReach:
			return yield(c, nil)
		}
		p.held = append(p.held, *c)
		return true
	}
	if c.Failed() {
		p.held = append(p.held, *c)
		return true
	}
	return yield(c, nil)
}

// release yields the failed capture that the others wait behind, and those after it that now need not wait.
func (p *preference) release(yield func(*cdx.Capture, error) bool) bool {
	f := p.held[0]
	rest := p.held[1:]
	if !yield(&f, nil) {
		return false
	}
	for len(rest) > 0 && !rest[0].Failed() {
		c := rest[0]
		if !yield(&c, nil) {
			return false
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		p.held = nil
		return true
	}
	return p.promote(rest, yield)
}

// promote makes rest[0], a failed capture, the one to wait behind and lets those pass that it gives way to.
func (p *preference) promote(rest []cdx.Capture, yield func(*cdx.Capture, error) bool) bool {
	kept := rest[:1]
	for _, c := range rest[1:] {
		if !c.Failed() && rest[0].Time.Distance(c.Time) <= failureReach {
			if !yield(&c, nil) {
				return false
			}
			continue
		}
		kept = append(kept, c)
	}
	p.held = kept
	return true
}

// drain yields all that is held.
func (p *preference) drain(yield func(*cdx.Capture, error) bool) bool {
	for len(p.held) > 0 {
		if !p.release(yield) {
			return false
		}
	}
	return true
}
