package answer

import (
	"context"
	"iter"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/rewrite"
)

// resolver returns the Resolver for the URI-Rs of a page. It answers the exact URI-M nearest to the page's datetime
// (see drift.go), found for all of them in one ordered pass over the index.
func (m *answer) resolver() rewrite.Resolver {
	uris, ts := m.s.site.Local(m.p.Coll), m.target()
	pass := carrierNames[m.use] != "" && ts.Distance(m.a.Capture.Time) > driftReach
	return func(refs []rewrite.Ref) []string {
		out := make([]string, len(refs))
		keys := make([]string, 0, len(refs))
		at := make([]int, 0, len(refs))
		for i, ref := range refs {
			out[i] = uris.Memento(ts, ref.Use.String(), ref.URI)
			keys, at = append(keys, surt.Of(ref.URI)), append(at, i)
		}
		err := m.s.Index.Nearest(context.WithoutCancel(m.r.Context()), m.p.Coll, ts, keys,
			func(k int, candidates iter.Seq2[*cdx.Capture, error]) {
				if c := archive.FirstUsable(ts, candidates); c != nil {
					out[at[k]] = uris.Memento(c.Time, modifier(refs[at[k]].Use, pass, ts), c.URL)
					m.drift.note(refs[at[k]].Use, ts, c.Time)
				}
			})
		if err != nil {
			m.s.Log.Error("looking up the URIs of a page", "target", m.r.RequestURI, "error", err)
		}
		return out
	}
}

// modifier returns what to write for a use; pass says that the target must be passed on.
func modifier(use rewrite.Use, pass bool, target cdx.Timestamp) string {
	if pass && carrierNames[use] != "" {
		return targetMod(use, target)
	}
	return use.String()
}
