package landing

import (
	"context"

	"github.com/varve-archive/varve/archive/similar"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// maxHops bounds a chain of redirects. Browsers give up at 20 too.
const maxHops = 20

// A Hop is one step of a chain of redirects: a URI-R and its capture nearest to the step before.
type Hop struct {
	URIR    string
	Capture *cdx.Capture // nil if never captured
	Loop    bool         // the URI-R occurs earlier in the chain
}

// followRedirects follows the redirects from the capture to their end, and compares the end with the last real capture.
func (f *finder) followRedirects(ctx context.Context, coll string, l *Landing) error {
	if !timeline.IsRedirect(l.Capture) || l.Capture.Redirect == "" {
		return nil
	}
	l.Target = l.Capture.Redirect
	l.Hops = []Hop{{URIR: l.URIR, Capture: l.Capture}}
	seen := map[string]bool{timeline.PlainKey(l.Capture): true}
	for at := l.Capture; at != nil && len(l.Hops) <= maxHops; {
		next, err := f.nextHop(ctx, coll, at)
		if err != nil {
			return err
		}
		key := surt.Of(next.URIR)
		// A redirect between two spellings of one address is no loop if a page was captured there.
		next.Loop = seen[key] && (next.Capture == nil || timeline.IsRedirect(next.Capture))
		seen[key] = true
		l.Hops = append(l.Hops, next)
		if at = next.Capture; next.Loop || at == nil || !timeline.IsRedirect(at) || at.Redirect == "" {
			break
		}
	}
	l.targetCapture = l.Hops[1].Capture
	if last := l.Hops[len(l.Hops)-1]; !last.Loop && last.Capture != nil && !timeline.IsRedirect(last.Capture) {
		l.end = last.Capture
	}
	var err error
	l.Similarity, err = f.similarityOf(ctx, coll, l.lastReal(), l.end)
	return err
}

// nextHop returns the target of a redirect, with its usable capture nearest to the redirect.
func (f *finder) nextHop(ctx context.Context, coll string, c *cdx.Capture) (Hop, error) {
	h := Hop{URIR: c.Redirect}
	tl, err := f.in.Spelled(ctx, coll, c.Redirect)
	if err != nil {
		return h, err
	}
	h.Capture, err = f.in.Nearest(ctx, tl, c.Time)
	return h, err
}

// similarityOf estimates how similar the texts of two captures are, from 0 to 1; nil if one of them has no text.
func (f *finder) similarityOf(ctx context.Context, coll string, a, b *cdx.Capture) (*float64, error) {
	if a == nil || b == nil || a.Text == 0 || b.Text == 0 {
		return nil, nil
	}
	src := f.in.Sketches()
	x, err := src.Sketch(a.Text)
	if err != nil {
		return nil, err
	}
	y, err := src.Sketch(b.Text)
	if err != nil {
		return nil, err
	}
	siteA, err := f.in.Sites().Get(ctx, coll, a.Key)
	if err != nil {
		return nil, err
	}
	siteB, err := f.in.Sites().Get(ctx, coll, b.Key)
	return similar.IgnoringFurniture(x, siteA, y, siteB), err
}
