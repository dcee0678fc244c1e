package archive

import (
	"context"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// maxHops bounds a chain of redirects; browsers give up at 20, too.
const maxHops = 20

// A Hop is one step of a chain of redirects: an address and its capture nearest the step before.
type Hop struct {
	URIR    string
	Capture *cdx.Capture // nil: never captured
	Loop    bool         // has been in the chain before
}

// follow walks from the capture to where its redirects end, and compares that with what was here.
func (s *Archive) follow(ctx context.Context, coll string, l *Landing) error {
	if !IsRedirect(l.Capture) || l.Capture.Redirect == "" {
		return nil
	}
	l.Target = l.Capture.Redirect
	l.Hops = []Hop{{URIR: l.URIR, Capture: l.Capture}}
	seen := map[string]bool{plainKey(l.Capture): true}
	for at := l.Capture; at != nil && len(l.Hops) <= maxHops; {
		next, err := s.nextHop(ctx, coll, at)
		if err != nil {
			return err
		}
		key := surt.Of(next.URIR)
		// From an address to another form of itself is no circle as long as a page stands there.
		next.Loop = seen[key] && (next.Capture == nil || IsRedirect(next.Capture))
		seen[key] = true
		l.Hops = append(l.Hops, next)
		if at = next.Capture; next.Loop || at == nil || !IsRedirect(at) || at.Redirect == "" {
			break
		}
	}
	l.targetCapture = l.Hops[1].Capture
	if last := l.Hops[len(l.Hops)-1]; !last.Loop && last.Capture != nil && !IsRedirect(last.Capture) {
		l.end = last.Capture
	}
	var err error
	l.Similarity, err = s.alike(ctx, coll, l.lastReal(), l.end)
	return err
}

// nextHop finds the capture of a redirect's target that is nearest to it.
func (s *Archive) nextHop(ctx context.Context, coll string, c *cdx.Capture) (Hop, error) {
	h := Hop{URIR: c.Redirect}
	tl, err := s.Timeline(ctx, coll, surt.Of(c.Redirect))
	if err != nil {
		return h, err
	}
	h.Capture, err = s.Nearest(ctx, tl, c.Time)
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
