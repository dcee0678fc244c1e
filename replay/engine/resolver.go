package engine

import (
	"cmp"
	"context"
	"iter"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/rewrite/uses"
)

// resolver returns the Resolver for the URI-Rs of a page. It returns the URI-Ms of the captures nearest to the page's datetime (see
// drift.go), found for all of them in one ordered pass over the index. If the index can't be read, it sets m.lost; its answers must not
// be sent then.
func (m *answer) resolver() uses.Resolver {
	uris, ts := m.s.site.Local(m.p.Coll), m.target()
	pass := carrierName(m.use) != "" && ts.Distance(m.a.Capture.Time) > driftReach
	return func(refs []uses.Ref) []string {
		out, asked := make([]string, len(refs)), make([]string, len(refs))
		for i, ref := range refs {
			out[i], asked[i] = uris.Memento(ts, ref.Use.String(), ref.URI), ref.URI
		}
		err := m.nearest(asked, func(i int, c *cdx.Capture) {
			out[i] = uris.Memento(c.Time, modifier(refs[i].Use, pass, ts), c.URL)
			m.drift.note(refs[i].Use, ts, c.Time)
			asked[i] = ""
		})
		if m.lost == nil {
			m.lost = err
		}
		for i, ref := range refs {
			m.loads.note(ref, asked[i] == "")
		}
		for i, ref := range refs {
			if p, ok := m.s.site.OwnMemento(ref.URI); ok {
				out[i] = m.s.site.Local(p.Coll).Home() + cmp.Or(p.From, ts.String()) + ref.Use.String() + "/" + p.URIR
			}
		}
		return out
	}
}

// nearest is [Handler.nearest] to the page's datetime.
func (m *answer) nearest(uris []string, found func(i int, c *cdx.Capture)) error {
	return m.s.nearest(context.WithoutCancel(m.r.Context()), m.p.Coll, m.target(), uris, found)
}

// nearest calls found for each URI-R that has a usable capture, with the capture nearest to a datetime. The capture is valid until found
// returns.
func (s *Handler) nearest(ctx context.Context, coll string, to cdx.Timestamp, uris []string, found func(i int, c *cdx.Capture)) error {
	keys := make([]string, len(uris))
	for i, uri := range uris {
		keys[i] = surt.Of(uri)
	}
	return s.Index.Nearest(ctx, coll, to, keys, func(i int, candidates iter.Seq2[*cdx.Capture, error]) {
		if c := timeline.FirstSpelled(uris[i], to, candidates); c != nil {
			found(i, c)
		}
	})
}

// modifier returns the modifier for a use; pass says that it must carry the target datetime.
func modifier(use uses.Use, pass bool, target cdx.Timestamp) string {
	if pass && carrierName(use) != "" {
		return targetMod(use, target)
	}
	return use.String()
}
