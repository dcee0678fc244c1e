package answer

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner/text"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
	"github.com/varve-archive/varve/rewrite"
)

// Memento answers a URI-M, or redirects to the nearest one if the datetime is not that of a capture.
func (s *Handler) Memento(w http.ResponseWriter, r *http.Request, p web.Path) error {
	ts, err := cdx.ParseTimestamp(p.From)
	if err != nil {
		return web.BadRequest(fmt.Sprintf("%s is no datetime: want YYYYMMDDhhmmss or its beginning", p.From))
	}
	use, ok := s.use(r, &p)
	if !ok {
		return web.BadRequest(fmt.Sprintf("%s is not a modifier this server knows", p.Mod))
	}
	key, err := web.RequestKey(r, p.URIR)
	if err != nil {
		return err
	}
	if done, err := s.answerSent(w, r, p, ts, use); done || err != nil {
		return err
	}
	tl, err := s.Timeline(r.Context(), p.Coll, key)
	if err != nil {
		return err
	}
	if c := tl.Memento(ts); c != nil && len(p.From) == 14 && !c.Unresolved() {
		if s.toLanding(w, r, p, tl, c) || s.toSlash(w, r, p, c) {
			return nil
		}
		return s.replay(w, r, p, tl, c, use)
	}
	c, err := s.Nearest(r.Context(), tl, ts)
	if err != nil {
		return err
	}
	if c == nil {
		if found, err := s.answerEquivalent(w, r, p, key, ts, use); found || err != nil {
			return err
		}
		if s.shell(w, r, p, ts, use) {
			return nil
		}
		return s.noCapture(r, p)
	}
	h := w.Header()
	web.AllowOrigins(h)
	h.Set("Link", memento.FormatLinks(s.site.Absolute(r, p.Coll).DetourLinks(firstAndLast(tl, c))))
	web.RedirectKeeping(w, r, s.site.Local(p.Coll).Memento(c.Time, p.Mod, c.URL))
	return nil
}

// use returns the use of the requested memento: that of the modifier or, for a URI-M without one, of Prefer (raw,
// rewritten, banner-only as in pywb; others are ignored, RFC 7240 §2).
func (s *Handler) use(r *http.Request, p *web.Path) (rewrite.Use, bool) {
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
	switch web.Preferred(r) {
	case "raw":
		return rewrite.Raw, true
	case "rewritten":
		return rewrite.Page, true
	case "banner-only":
		return rewrite.BannerOnly, true
	}
	return use, ok
}

// toSlash redirects what fills a window or a frame to the address of the capture if only that ends with a slash: the addresses that
// the page's scripts leave relative would lead elsewhere. It reports whether it did.
func (s *Handler) toSlash(w http.ResponseWriter, r *http.Request, p web.Path, c *cdx.Capture) bool {
	asked, _, _ := strings.Cut(p.URIR, "?")
	has, _, _ := strings.Cut(c.URL, "?")
	if strings.HasSuffix(asked, "/") || !strings.HasSuffix(has, "/") || strings.Count(asked, "/") < 3 {
		return false
	}
	h := w.Header()
	web.Vary(h, "Sec-Fetch-Mode", "Sec-Fetch-Dest")
	if r.Header.Get("Sec-Fetch-Mode") != "navigate" || !web.Reads(r) {
		return false
	}
	web.AllowOrigins(h)
	web.Redirect(w, s.site.Local(p.Coll).Memento(c.Time, p.Mod, c.URL))
	return true
}

// replay answers with a capture.
func (s *Handler) replay(w http.ResponseWriter, r *http.Request, p web.Path, tl *archive.Timeline, c *cdx.Capture, use rewrite.Use) error {
	state, generation := s.state(r, p, c, use), s.Index.Generation()
	keep := state != "" && r.Method == http.MethodGet && r.Header.Get("Range") == "" && use != rewrite.Raw
	if keep && s.cache.Send(w, r, state, generation) {
		return nil
	}
	a, err := s.Open(r.Context(), c)
	if err != nil {
		return s.withOthers(r, p, tl, err)
	}
	defer a.Close()
	if use != rewrite.Raw {
		part, err := web.AskedPart(r, s.Archive, tl, a)
		if err != nil {
			return err
		}
		if part != nil {
			defer part.Close()
			a = part
		}
	}
	n, err := tl.Neighbourhood(a.Capture)
	if err != nil {
		return err
	}
	m := &answer{s: s, w: w, r: r, p: p, tl: tl, n: n, a: a, use: use, state: state, keep: keep, generation: generation}
	return m.write()
}

// withOthers adds the other captures of the URI-R to a failure, newest first, so that the reader has somewhere to go.
func (s *Handler) withOthers(r *http.Request, p web.Path, tl *archive.Timeline, err error) error {
	f := web.AsFailure(err)
	if f.Status != http.StatusServiceUnavailable {
		return err
	}
	var links []memento.Link
	for i := len(tl.Captures) - 1; i >= 0 && len(links) < web.MaxOthers; i-- {
		c := &tl.Captures[i]
		links = append(links, memento.Link{
			URI: s.site.Absolute(r, p.Coll).Memento(c.Time, p.Mod, c.URL), Rels: []string{"memento"},
			Datetime: c.Time,
		})
	}
	f.Header = http.Header{"Link": {memento.FormatLinks(links)}, "Retry-After": {"120"}}
	f.Others = tl.Captures
	return f
}

// state returns all that a rewritten answer depends on besides the generation, or "" if that can't be known.
func (s *Handler) state(r *http.Request, p web.Path, c *cdx.Capture, use rewrite.Use) string {
	if !web.Reads(r) {
		return ""
	}
	if from, _ := s.site.FromLanding(r, p.Coll); from != nil { // the banner mentions it
		return ""
	}
	var page cdx.Timestamp
	if embedded(use) {
		page, _ = s.fromPage(r, p.Coll)
	}
	return fmt.Sprintf("%s %d:%d %s %s %s %q %s %s %s %t %t %t", p.Coll, c.File, c.Offset, p.From, page, p.Mod, p.URIR, s.site.Base(r),
		web.Preferred(r),
		text.Choose(r.Header.Get("Accept-Language")), ajax(r), inWorker(r), runsScripts(r))
}
