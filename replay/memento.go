package replay

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite"
)

// memento answers a URI-M, or sends to the nearest one where the datetime is not that of a capture.
func (s *answers) memento(w http.ResponseWriter, r *http.Request, p Path) error {
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
	tl, err := s.timeline(r.Context(), p.Coll, key)
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
		return s.site.missing(r, p)
	}
	allowOrigins(w.Header())
	redirect(w, s.site.local(p.Coll).Memento(c.Time, p.Mod, c.URL))
	return nil
}

// use returns what the memento is asked for: the modifier says it, and Prefer may for a URI-M without one
// (raw, rewritten, banner-only as in pywb; others are ignored, RFC 7240 §2).
func (s *answers) use(r *http.Request, p *Path) (rewrite.Use, bool) {
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

// replay answers with a capture.
func (s *answers) replay(w http.ResponseWriter, r *http.Request, p Path, tl *timeline, c *cdx.Capture, use rewrite.Use) error {
	key, generation := s.cacheKey(r, p, c, use), s.Index.Generation()
	if key != "" && s.cache.send(w, key, generation) {
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
func (s *answers) withOthers(r *http.Request, p Path, tl *timeline, err error) error {
	f := asFailure(err)
	if f.status != http.StatusServiceUnavailable {
		return err
	}
	var links []memento.Link
	for i := len(tl.captures) - 1; i >= 0 && len(links) < maxOthers; i-- {
		c := &tl.captures[i]
		links = append(links, memento.Link{URI: s.site.absolute(r, p.Coll).Memento(c.Time, p.Mod, c.URL), Rels: []string{"memento"}, Datetime: c.Time})
	}
	f.header = http.Header{"Link": {memento.FormatLinks(links)}, "Retry-After": {"120"}}
	f.others = tl.captures
	return f
}

// maxOthers bounds how many other captures a failure names.
const maxOthers = 20

// cacheKey is all that a rewritten answer depends on besides the generation; "" if it isn't to be kept.
func (s *answers) cacheKey(r *http.Request, p Path, c *cdx.Capture, use rewrite.Use) string {
	if r.Method != http.MethodGet || r.Header.Get("Range") != "" || use == rewrite.Raw {
		return ""
	}
	if from, _ := s.site.fromLanding(r, p.Coll); from != nil { // the banner tells
		return ""
	}
	var page cdx.Timestamp
	if embedded(use) {
		page, _ = s.fromPage(r, p.Coll)
	}
	return fmt.Sprintf("%s %d:%d %s %s %s %q %s %s %s %s", p.Coll, c.File, c.Offset, p.From, page, p.Mod, p.URIR, s.site.base(r), preferred(r),
		banner.Language(r.Header.Get("Accept-Language")), strconv.FormatBool(ajax(r)))
}
