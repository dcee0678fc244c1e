package replay

import (
	"context"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// maxHops bounds a chain of redirects; browsers give up at 20, too.
const maxHops = 20

// A hop is one step of a chain of redirects: an address and its capture nearest the step before.
type hop struct {
	uriR    string
	capture *cdx.Capture // nil: never captured
	loop    bool         // has been in the chain before
}

// follow walks from the capture to where its redirects end, and compares that with what was here.
func (s *Archive) follow(ctx context.Context, coll string, l *landing) error {
	if !isRedirect(l.capture) || l.capture.Redirect == "" {
		return nil
	}
	l.target = l.capture.Redirect
	l.hops = []hop{{uriR: l.uriR, capture: l.capture}}
	seen := map[string]bool{plainKey(l.capture): true}
	for at := l.capture; at != nil && len(l.hops) <= maxHops; {
		next, err := s.nextHop(ctx, coll, at)
		if err != nil {
			return err
		}
		key := surt.Of(next.uriR)
		// From an address to another form of itself is no circle as long as a page stands there.
		next.loop = seen[key] && (next.capture == nil || isRedirect(next.capture))
		seen[key] = true
		l.hops = append(l.hops, next)
		if at = next.capture; next.loop || at == nil || !isRedirect(at) || at.Redirect == "" {
			break
		}
	}
	l.targetCapture = l.hops[1].capture
	if last := l.hops[len(l.hops)-1]; !last.loop && last.capture != nil && !isRedirect(last.capture) {
		l.end = last.capture
	}
	var err error
	l.similarity, err = s.alike(ctx, coll, l.lastReal(), l.end)
	return err
}

// nextHop finds the capture of a redirect's target that is nearest to it.
func (s *Archive) nextHop(ctx context.Context, coll string, c *cdx.Capture) (hop, error) {
	h := hop{uriR: c.Redirect}
	tl, err := s.timeline(ctx, coll, surt.Of(c.Redirect))
	if err != nil {
		return h, err
	}
	h.capture, err = s.nearest(ctx, tl, c.Time)
	return h, err
}

// alike estimates how alike the texts of two captures are, from 0 to 1; nil where one has none.
func (s *Archive) alike(ctx context.Context, coll string, a, b *cdx.Capture) (*float64, error) {
	if a == nil || b == nil || a.Text == 0 || b.Text == 0 {
		return nil, nil
	}
	src := &sketches{index: s.Index}
	x, err := src.Sketch(a.Text)
	if err != nil {
		return nil, err
	}
	y, err := src.Sketch(b.Text)
	if err != nil {
		return nil, err
	}
	siteA, err := s.sites.get(ctx, coll, a.Key)
	if err != nil {
		return nil, err
	}
	siteB, err := s.sites.get(ctx, coll, b.Key)
	return similarityOn(x, siteA, y, siteB), err
}
