package replay

import (
	"fmt"
	"net/http"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite"
)

// memento answers a URI-M, or sends to the nearest one where the datetime is not that of a capture.
func (s *Server) memento(w http.ResponseWriter, r *http.Request, p Path) error {
	ts, err := cdx.ParseTimestamp(p.From)
	if err != nil {
		return badRequest(fmt.Sprintf("%s is no datetime: want YYYYMMDDhhmmss or its beginning", p.From))
	}
	use, ok := s.use(r, &p)
	if !ok {
		return badRequest(fmt.Sprintf("%s is not a modifier this server knows", p.Mod))
	}
	key, err := requestKey(r, p.URIR)
	if err != nil {
		return err
	}
	tl, err := s.timelines.get(r.Context(), p.Coll, key)
	if err != nil {
		return err
	}
	if c := tl.stands(ts); c != nil && len(p.From) == 14 && !c.Unresolved() {
		if s.toLanding(w, r, p, tl, c) {
			return nil
		}
		return s.replay(w, r, p, tl, c, use)
	}
	c, err := s.nearest(r.Context(), tl, ts)
	if err != nil {
		return err
	}
	if c == nil {
		if found, err := s.instead(w, r, p, ts, use); found || err != nil {
			return err
		}
		return s.missing(r, p)
	}
	allowOrigins(w.Header())
	redirect(w, s.local(p.Coll).Memento(c.Time, p.Mod, c.URL))
	return nil
}

// use returns what the memento is asked for: the modifier says it, and Prefer may for a URI-M without one
// (raw, rewritten, banner-only as in pywb; others are ignored, RFC 7240 §2).
func (s *Server) use(r *http.Request, p *Path) (rewrite.Use, bool) {
	use, ok := rewrite.ParseUse(p.Mod)
	if use, _, ok := parseTargetMod(p.Mod); ok {
		return use, true
	}
	if len(p.Mod) > 0 && p.Mod[0] == '$' {
		return rewrite.Page, true
	}
	if p.Mod != "" {
		return use, ok
	}
	switch preferred(r) {
	case "raw":
		return rewrite.Raw, true
	case "rewritten":
		return rewrite.Page, true
	case "banner-only":
		return rewrite.BannerOnly, true
	}
	return use, ok
}

// neighbourhood says where capture c stands among the others: what its Link header tells.
func (t *timeline) neighbourhood(c *cdx.Capture) (*memento.Neighbourhood, error) {
	ranges, err := t.levels(change.LevelContent)
	if err != nil {
		return nil, err
	}
	from, to := t.second(c.Time)
	n := &memento.Neighbourhood{Current: c, First: &t.captures[0], Last: &t.captures[len(t.captures)-1]}
	if from > 0 {
		n.Prev = t.stands(t.captures[from-1].Time)
	}
	if to < len(t.captures) {
		n.Next = t.stands(t.captures[to].Time)
	}
	i := rangeOf(ranges, c.Time)
	if i > 0 {
		n.Predecessor = t.stands(ranges[i-1].Last)
	}
	if i+1 < len(ranges) {
		n.Successor = t.stands(ranges[i+1].First)
	}
	return n, nil
}

// replay answers with a capture.
func (s *Server) replay(w http.ResponseWriter, r *http.Request, p Path, tl *timeline, c *cdx.Capture, use rewrite.Use) error {
	key, generation := s.cacheKey(r, p, c, use), s.Index.Generation()
	if key != "" && s.pages.send(w, key, generation) {
		return nil
	}
	n, err := tl.neighbourhood(c)
	if err != nil {
		return err
	}
	a, err := s.open(r.Context(), c)
	if err != nil {
		return s.withOthers(r, p, tl, err)
	}
	defer a.Close()
	m := &answer{s: s, w: w, r: r, p: p, tl: tl, n: n, a: a, use: use, key: key, generation: generation}
	return m.write()
}

// withOthers adds the other captures of the URI-R to a failure, newest first, so that the reader has where to go.
func (s *Server) withOthers(r *http.Request, p Path, tl *timeline, err error) error {
	f := asFailure(err)
	if f.status != http.StatusServiceUnavailable {
		return err
	}
	var links []memento.Link
	for i := len(tl.captures) - 1; i >= 0 && len(links) < maxOthers; i-- {
		c := &tl.captures[i]
		links = append(links, memento.Link{URI: s.absolute(r, p.Coll).Memento(c.Time, p.Mod, c.URL), Rels: []string{"memento"}, Datetime: c.Time})
	}
	f.header = http.Header{"Link": {memento.FormatLinks(links)}, "Retry-After": {"120"}}
	f.others = tl.captures
	return f
}

// maxOthers bounds how many other captures a failure names.
const maxOthers = 20
