package replay

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite"
)

// FuzzyHeader marks an answer that another URI-R gave than the one asked for, and names it.
const FuzzyHeader = "X-Varve-Fuzzy"

// fuzzyScan bounds how many keys of one path are looked at.
const fuzzyScan = 100

// instead answers a URI-M whose URI-R has no usable capture from one that means the same (see [meant]). A page
// is redirected to, for its address is what a reader passes on; a resource is sent as it is, so that JSONP calls
// back under the name that was asked for. It reports whether there was one.
func (s *Server) instead(w http.ResponseWriter, r *http.Request, p Path, ts cdx.Timestamp, use rewrite.Use) (bool, error) {
	if use == rewrite.Raw || use == rewrite.RawRedirect || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false, nil
	}
	tl, c, err := s.fuzzy(r.Context(), p.Coll, surt.Of(p.URIR), ts)
	if c == nil || err != nil {
		return false, err
	}
	h := w.Header()
	h.Set(FuzzyHeader, c.URL)
	allowOrigins(h)
	if use == rewrite.Link {
		redirect(w, s.local(p.Coll).Memento(c.Time, p.Mod, c.URL))
		return true, nil
	}
	h.Set("Content-Location", s.absolute(r, p.Coll).Memento(c.Time, p.Mod, c.URL))
	return true, s.replay(w, r, p, tl, c, use)
}

// fuzzy returns the capture nearest to ts among those of the keys that mean the same as key, nil if there is none.
func (s *Server) fuzzy(ctx context.Context, coll, key string, ts cdx.Timestamp) (*timeline, *cdx.Capture, error) {
	keys, err := s.sameMeaning(ctx, coll, key)
	if err != nil {
		return nil, nil, err
	}
	var best *cdx.Capture
	var bestLine *timeline
	for _, k := range keys {
		tl, err := s.timelines.get(ctx, coll, k)
		if err != nil {
			return nil, nil, err
		}
		c, err := s.nearestBeyond(ctx, tl, ts, meant(key))
		if err != nil {
			return nil, nil, err
		}
		if c != nil && (best == nil || better(ts, c, best)) {
			best, bestLine = c, tl
		}
	}
	return bestLine, best, nil
}

// nearestBeyond is nearest among the captures that don't redirect to what means the same, which would lead round in a circle.
func (s *Server) nearestBeyond(ctx context.Context, tl *timeline, ts cdx.Timestamp, meaning string) (*cdx.Capture, error) {
	for c, err := range memento.Preferred(ts, tl.closest(ts)) {
		if err != nil {
			return nil, err
		}
		if isRedirect(c) && c.Redirect != "" && meant(surt.Of(c.Redirect)) == meaning || !usable(c) {
			continue
		}
		if best := tl.stands(c.Time); best != nil && s.readable(ctx, best) {
			return best, nil
		}
	}
	return nil, nil
}

// better prefers what went well, then what is nearer.
func better(ts cdx.Timestamp, a, b *cdx.Capture) bool {
	if wentA, wentB := a.Status < 300, b.Status < 300; wentA != wentB {
		return wentA
	}
	return memento.Nearer(ts, a.Time, b.Time)
}

// sameMeaning returns the keys, other than key, that mean the same: what key means without what doesn't count, and
// among the first [fuzzyScan] keys of the path.
func (s *Server) sameMeaning(ctx context.Context, coll, key string) ([]string, error) {
	want := meant(key)
	path, _, _ := strings.Cut(want, "?")
	var out []string
	for _, span := range [...][2]string{{want, want + "\x00"}, {path, path + "\x00"}, {path + "?", path + "@"}, {path + ";", path + "<"}} {
		n := 0
		for k, err := range s.Index.Keys(ctx, coll, span[0], span[1]) {
			if err != nil {
				return nil, err
			}
			if k != key && !surt.HasMethod(k) && meant(k) == want && !slices.Contains(out, k) {
				out = append(out, k)
			}
			if n++; n == fuzzyScan {
				break
			}
		}
	}
	return out, nil
}
