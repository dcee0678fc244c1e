package memento

import (
	"iter"

	"github.com/varve-archive/varve/cdx"
)

// failureReach is the distance in seconds within which a failed capture yields to a good one. A site that was down is
// usually up again within a day, and a reader wants the page, not its error message.
const failureReach = 24 * 60 * 60

// maxHeld bounds the captures that are held back because of a failed one. A URI-R that is crawled every minute has fewer within a day
// before and after.
const maxHeld = 4_096

// Nearer reports whether a is the better answer to want than b by time alone: it has the smaller distance or, on a
// tie, is earlier. It follows that before the first memento the answer is the first, and after the last the last, as
// RFC 7089 §4.5.3 demands.
func Nearer(want, a, b cdx.Timestamp) bool {
	da, db := want.Distance(a), want.Distance(b)
	return da < db || da == db && a < b
}

// Preferred orders the candidates for the datetime want in the order in which an archive should try them. candidates
// come nearest first (see [Nearer]). They keep that order, except that a failed capture (5xx, 429, truncated) comes
// after all good ones within 24 hours of it. RFC 7089 §4.5.4 and §4.5.5 treat 3xx and 4xx as mementos like others, so
// those don't yield.
//
// The caller takes the first candidate that turns out to be usable. candidates may yield the same Capture again and
// again, because failed ones are copied. An error ends the sequence.
func Preferred(want cdx.Timestamp, candidates iter.Seq2[*cdx.Capture, error]) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		var p preference
		for c, err := range candidates {
			if err != nil {
				if p.drain(yield) {
					yield(nil, err)
				}
				return
			}
			if !p.offer(want, c, yield) {
				return
			}
		}
		p.drain(yield)
	}
}

// A preference holds back candidates because of a failed one, which is held[0].
type preference struct {
	held []cdx.Capture
}

// offer takes the next candidate and yields all candidates whose order is now certain. It reports whether to continue.
func (p *preference) offer(want cdx.Timestamp, c *cdx.Capture, yield func(*cdx.Capture, error) bool) bool {
	for len(p.held) > 0 {
		f := &p.held[0]
		switch {
		case want.Distance(c.Time) > want.Distance(f.Time)+failureReach, len(p.held) >= maxHeld:
			if !p.release(yield) { // no good capture within reach can follow
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

// release yields the failed capture that holds back the others, and those after it that no longer have to wait.
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

// promote makes rest[0], a failed capture, the one that holds back the others. It yields those that precede it.
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

// drain yields everything that is held back.
func (p *preference) drain(yield func(*cdx.Capture, error) bool) bool {
	for len(p.held) > 0 {
		if !p.release(yield) {
			return false
		}
	}
	return true
}
