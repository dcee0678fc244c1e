package gallery

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/filetext"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A Plan says which pictures to make.
type Plan struct {
	Coll     string
	URLs     []string // may have wildcards as in the CDX API; none means all
	From, To cdx.Timestamp
	Widths   []int
	Captures bool // of each capture, instead of each version
}

// A Wanted is a picture to make.
type Wanted struct {
	visual.At
	URL string
}

// spans returns the ranges of keys in which a plan looks for pages.
func (p *Plan) spans() (out []surt.Keys, err error) {
	if len(p.URLs) == 0 {
		return []surt.Keys{{}}, nil
	}
	for _, u := range p.URLs {
		ranges, err := surt.Ranges(u, "")
		if err != nil {
			return nil, err
		}
		out = append(out, ranges...)
	}
	slices.SortFunc(out, func(a, b surt.Keys) int { return cmp.Compare(a.From, b.From) })
	return out, nil
}

// Each calls f for each missing picture of a plan, in the order of the index, until it returns false. It returns how many of the plan's
// pictures exist.
func (g *Gallery) Each(ctx context.Context, all *timeline.Timelines, p *Plan, f func(Wanted) bool) (have int, err error) {
	spans, err := p.spans()
	if err != nil {
		return 0, err
	}
	last := ""
	for _, s := range spans {
		for key, err := range g.view.Keys(ctx, p.Coll, s.From, s.To) {
			if err != nil {
				return have, err
			}
			if surt.HasMethod(key) || key <= last { // it belongs to an earlier span
				continue
			}
			last = key
			n, more, err := g.eachOf(ctx, all, p, key, f)
			if have += n; err != nil || !more {
				return have, err
			}
		}
	}
	return have, nil
}

// eachOf is Each for one URI-R.
func (g *Gallery) eachOf(
	ctx context.Context, all *timeline.Timelines, p *Plan, key string, f func(Wanted) bool,
) (have int, more bool, err error) {
	tl, err := all.Read(ctx, p.Coll, key)
	if err != nil || !slices.ContainsFunc(tl.Captures, func(c cdx.Capture) bool { return g.isPage(&c) }) {
		return 0, true, err
	}
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		return 0, true, err
	}
	for i := range ranges {
		for _, c := range g.chosen(tl, &ranges[i], p) {
			for _, width := range p.Widths {
				at := visual.At{Coll: p.Coll, Key: key, Time: c.Time, Width: width}
				if g.Store.Has(at) {
					have++
				} else if !f(Wanted{at, c.URL}) {
					return have, false, nil
				}
			}
		}
	}
	return have, true, nil
}

// chosen returns the captures of a version that the plan wants pictures of: the first, or all, within the plan's time.
func (g *Gallery) chosen(tl *timeline.Timeline, r *change.Range, p *Plan) (out []*cdx.Capture) {
	if r.Kind != change.Page {
		return nil
	}
	for i := r.FirstIndex; i <= r.LastIndex; i++ {
		c := &tl.Captures[i]
		if shown := tl.Memento(c.Time); shown == nil || shown.Location != c.Location || slices.Contains(r.Unshown, i) {
			continue
		}
		if c.Time < p.From || p.To != 0 && c.Time > p.To || !g.isPage(c) {
			continue
		}
		if out = append(out, c); !p.Captures {
			break
		}
	}
	return out
}

// isPage reports whether a capture is of a page that everybody may see.
func (g *Gallery) isPage(c *cdx.Capture) bool {
	shown := (c.Status == 0 || c.Status >= http.StatusOK) && c.Status < http.StatusMultipleChoices && !c.Failed()
	return shown && filetext.IsHTML(c.MIME, c.URL, c.Text != 0) && timeline.Usable(c) && g.view.Decide(c).Access == access.Allow
}
