package gallery

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/weighted"
)

// Wide is the default width. Narrower pictures are used if there are no others.
const Wide = 1280

// A Gallery returns the pictures that the readers of a view may see. It is safe for concurrent use. A nil gallery has none.
type Gallery struct {
	Store *visual.Store
	view  *view.View
	cache *weighted.Cache[visual.At, *cachedPicture]
}

type cachedPicture struct {
	picture    *visual.Picture // nil if the readers may not see it, or it doesn't exist
	generation uint64          // of the view
	saved      uint64          // of the store
}

// maxCachedBlocks bounds the blocks of all cached pictures, about half a kilobyte each.
const maxCachedBlocks = 150_000

// New returns the gallery of a view.
func New(store *visual.Store, seen *view.View) *Gallery {
	weigh := func(h *cachedPicture) int {
		if h.picture == nil {
			return 1
		}
		return 4 + len(h.picture.Blocks) + len(h.picture.Parts)/4
	}
	return &Gallery{Store: store, view: seen, cache: weighted.New[visual.At](maxCachedBlocks, weigh)}
}

// Pictures returns the pictures of a URI-R, oldest first, all of one width: width or, if that is 0, [Wide], or else the widest that exists.
func (g *Gallery) Pictures(ctx context.Context, coll, key string, width int) ([]*visual.Picture, error) {
	if g == nil {
		return nil, nil
	}
	list, err := g.Store.List(coll, key)
	if err != nil {
		return nil, err
	}
	if width == 0 {
		for _, at := range list {
			if width = max(width, at.Width); at.Width == Wide {
				width = Wide
				break
			}
		}
	}
	var out []*visual.Picture
	for _, at := range list {
		if at.Width != width {
			continue
		}
		p, err := g.picture(ctx, at)
		if err != nil {
			return nil, err
		}
		if p != nil {
			out = append(out, p)
		}
	}
	return out, nil
}

// Spelled returns the pictures of captures that are spelled as uriR, or all if that is "". Pages of one key may be different ones.
func Spelled(pictures []*visual.Picture, uriR string) []*visual.Picture {
	if uriR == "" {
		return pictures
	}
	return slices.DeleteFunc(pictures, func(p *visual.Picture) bool { return !surt.SameSpelling(p.URL, uriR) })
}

// picture returns a picture, nil if it doesn't exist or the readers may not see it.
func (g *Gallery) picture(ctx context.Context, at visual.At) (*visual.Picture, error) {
	now := cachedPicture{generation: g.view.Generation(), saved: g.Store.Saved()}
	if h, ok := g.cache.Get(at); ok && h.generation == now.generation && h.saved == now.saved {
		return h.picture, nil
	}
	p, err := g.Store.Load(at)
	if errors.Is(err, visual.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	shown, err := g.shows(ctx, at, p)
	if err != nil {
		return nil, err
	}
	if shown {
		now.picture = p
	}
	g.cache.Add(at, &now)
	return now.picture, nil
}

// shows reports whether the readers may see all mementos in a picture.
func (g *Gallery) shows(ctx context.Context, at visual.At, p *visual.Picture) (bool, error) {
	ok, err := g.seen(ctx, at.Coll, at.Key, at.Time)
	if !ok || err != nil || g.view.Policy.Open() {
		return ok, err
	}
	for _, part := range p.Parts {
		if ok, err = g.seen(ctx, at.Coll, surt.Of(part.URL), part.Time); !ok || err != nil {
			return ok, err
		}
	}
	return true, nil
}

// seen reports whether the readers may see a capture of a key at a datetime.
func (g *Gallery) seen(ctx context.Context, coll, key string, ts cdx.Timestamp) (bool, error) {
	for c, err := range g.view.Closest(ctx, coll, key, ts) {
		if err != nil || c.Time != ts {
			return false, err
		}
		if g.view.Decide(c).Access == access.Allow {
			return true, nil
		}
	}
	return false, nil
}

// Of returns the picture of the version valid at a datetime: of its captures up to then, the last with a picture, else the first with one.
// It is nil if none has. ranges are those of the timeline.
func Of(pictures []*visual.Picture, ranges []change.Range, ts cdx.Timestamp) *visual.Picture {
	i := timeline.RangeOf(ranges, ts)
	if i < 0 {
		return nil
	}
	return Within(pictures, &ranges[i], ts)
}

// Within is [Of] for a version.
func Within(pictures []*visual.Picture, r *change.Range, ts cdx.Timestamp) (found *visual.Picture) {
	for _, p := range pictures {
		if p.Time < r.First || r.Until != 0 && p.Time >= r.Until {
			continue
		}
		if !p.HasImage() && found.HasImage() {
			continue
		}
		if found == nil || p.Time <= ts || p.HasImage() && !found.HasImage() {
			found = p
		}
	}
	return found
}

// Story returns up to most pictures that show the history of a page.
func (g *Gallery) Story(pictures []*visual.Picture, most int) (out []*visual.Picture) {
	if g == nil {
		return nil
	}
	for _, i := range g.Store.Story(pictures, most) {
		out = append(out, pictures[i])
	}
	return out
}

// maxAlike bounds the candidates with a similar look.
const maxAlike = 400

// Alike returns up to most of the newest pictures of other URI-Rs that look nearly the same.
func (g *Gallery) Alike(ctx context.Context, coll, key string, to *visual.Picture, most int) ([]*visual.Picture, error) {
	if g == nil || to == nil {
		return nil, nil
	}
	// A page looks like itself, so its own pictures must not fill the list.
	looks, err := g.Store.Alike(coll, to, maxAlike, func(l *visual.Look) bool { return l.Width == to.Width && surt.Of(l.URL) != key })
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(looks, func(a, b visual.Look) int { return cmp.Compare(b.Time, a.Time) })
	seen := map[string]bool{}
	var out []*visual.Picture
	for _, l := range looks {
		other := surt.Of(l.URL)
		if seen[other] || len(out) == most {
			continue
		}
		p, err := g.picture(ctx, visual.At{Coll: coll, Key: other, Time: l.Time, Width: l.Width})
		if err != nil {
			return nil, err
		}
		if p.HasImage() && p.LooksLike(to) {
			seen[other] = true
			out = append(out, p)
		}
	}
	return out, nil
}

// Sweep removes pictures of captures that are no longer in the index, and returns how many.
func (g *Gallery) Sweep(ctx context.Context) (gone int, err error) {
	return g.Store.Sweep(ctx, func(at visual.At) (bool, error) {
		for c, err := range g.view.Whole.Closest(ctx, at.Coll, at.Key, at.Time) {
			return err == nil && c.Time == at.Time, err
		}
		return false, nil
	})
}

// Splits returns the datetimes at which the look changed importantly, and the datetimes of all captures with an image, as [Spelled].
func (g *Gallery) Splits(ctx context.Context, coll, key, spelling string) (at, pictured []cdx.Timestamp, err error) {
	pictures, err := g.Pictures(ctx, coll, key, 0)
	if err != nil {
		return nil, nil, err
	}
	pictures = slices.DeleteFunc(Spelled(pictures, spelling), func(p *visual.Picture) bool { return !p.HasImage() })
	for _, p := range pictures {
		pictured = append(pictured, p.Time)
	}
	for _, i := range g.Store.Splits(pictures) {
		at = append(at, pictures[i].Time)
	}
	return at, pictured, nil
}
