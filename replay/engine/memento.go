package engine

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite/uses"
)

// Memento answers a URI-M, or redirects to the nearest one if the datetime is not that of a capture.
func (s *Handler) Memento(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	ts, err := cdx.ParseAsked(p.From)
	if err != nil {
		return respond.BadRequest(fmt.Sprintf("%s is no datetime: want YYYYMMDDhhmmss or its beginning", p.From))
	}
	use, ok := s.use(r, &p)
	if !ok {
		return respond.BadRequest(fmt.Sprintf("%s is not a modifier this server knows", p.Mod))
	}
	key, err := respond.RequestKey(r, p.URIR)
	if err != nil {
		return err
	}
	if done, err := s.answerSent(w, r, p, ts, use); done || err != nil {
		return err
	}
	o, err := s.Timelines.Original(r.Context(), p.Coll, key, ts)
	if err != nil {
		return err
	}
	if o, err = o.Spelled(r.Context(), p.URIR); err != nil {
		return err
	}
	c, err := o.Memento(r.Context(), ts)
	if err != nil {
		return err
	}
	exact := c != nil && p.From == ts.String() && !c.Unresolved()
	if exact && c.Status == http.StatusNotModified && use != uses.Raw { // browsers show nothing for it
		near, err := o.Nearest(r.Context(), ts)
		if err != nil {
			return err
		}
		exact = near == nil
	}
	if exact {
		if led, err := s.toLanding(w, r, p, o, c); led || err != nil {
			return err
		}
		if s.toSlash(w, r, p, c) {
			return nil
		}
		return s.replay(w, r, p, o, c, use)
	}
	return s.detour(w, r, p, o, key, ts, use)
}

// detour answers a URI-M whose datetime isn't that of a capture.
func (s *Handler) detour(
	w http.ResponseWriter, r *http.Request, p respond.Path, o *timeline.Original, key string, ts cdx.Timestamp, use uses.Use,
) error {
	c, err := o.Nearest(r.Context(), ts)
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
	readByScripts(h)
	if ajax(r, use) || inWorker(r) {
		return s.atOnce(w, r, p, c)
	}
	first, last, err := o.Ends(r.Context())
	if err != nil {
		return err
	}
	respond.AllowOrigins(h)
	h.Set("Link", memento.FormatLinks(s.site.Absolute(r, p.Coll).DetourLinks(placed(first, c, last))))
	respond.RedirectKeepingMethod(w, r, s.site.Local(p.Coll).Memento(c.Time, p.Mod, c.URL))
	return nil
}

// atOnce answers a script that requests a datetime without a capture directly with the nearest capture. A script would notice a redirect:
// fetch fails or reports it, and the live server sent none.
func (s *Handler) atOnce(w http.ResponseWriter, r *http.Request, p respond.Path, c *cdx.Capture) error {
	p.From, p.URIR = c.Time.String(), c.URL
	w.Header().Set("Content-Location", s.site.Local(p.Coll).Memento(c.Time, p.Mod, c.URL))
	return s.Memento(w, r, p)
}

// use returns the use of the requested memento: that of the modifier or, for a URI-M without one, of Prefer (raw,
// rewritten, banner-only as in pywb; others are ignored, RFC 7240 §2) or, in a frame, that of a frame.
func (s *Handler) use(r *http.Request, p *respond.Path) (uses.Use, bool) {
	use, ok := uses.Parse(p.Mod)
	if use, _, ok := parseTargetMod(p.Mod); ok {
		return use, true
	}
	if len(p.Mod) > 0 && p.Mod[0] == '$' {
		return uses.Page, true
	}
	if p.Mod != "" {
		return use, ok
	}
	switch respond.Preferred(r) {
	case "raw":
		return uses.Raw, true
	case "rewritten":
		return uses.Page, true
	case "banner-only":
		return uses.BannerOnly, true
	}
	if respond.InFrame(r) { // followed from a page in that frame
		return uses.Iframe, true
	}
	return use, ok
}

// toSlash redirects a request for a page to the capture's URI-R if that differs only by a final slash: relative URLs made by scripts
// would otherwise resolve wrongly. It reports whether it did.
func (s *Handler) toSlash(w http.ResponseWriter, r *http.Request, p respond.Path, c *cdx.Capture) bool {
	asked, _, _ := strings.Cut(p.URIR, "?")
	has, _, _ := strings.Cut(c.URL, "?")
	if strings.HasSuffix(asked, "/") || !strings.HasSuffix(has, "/") || strings.Count(asked, "/") < 3 {
		return false
	}
	h := w.Header()
	respond.Vary(h, "Sec-Fetch-Mode", "Sec-Fetch-Dest")
	if r.Header.Get("Sec-Fetch-Mode") != "navigate" || !respond.Reads(r) {
		return false
	}
	respond.AllowOrigins(h)
	respond.Redirect(w, s.site.Local(p.Coll).Memento(c.Time, p.Mod, c.URL))
	return true
}

func (s *Handler) replay(
	w http.ResponseWriter, r *http.Request, p respond.Path, o *timeline.Original, c *cdx.Capture, use uses.Use,
) error {
	state, generation, before := s.state(r, p, c, use), s.Index.Generation(), s.archiveState()
	keep := state != "" && r.Method == http.MethodGet && r.Header.Get("Range") == "" && use != uses.Raw && !asksData(r, use)
	if keep {
		if sent, err := s.cache.Send(w, r, state, generation); sent {
			return err
		}
	}
	a, err := s.Open(r.Context(), c)
	if err != nil {
		return s.withOthers(r, p, o, err)
	}
	defer a.Close()
	if use != uses.Raw {
		part, err := respond.AskedPart(r, s.Archive, o, a)
		if err != nil {
			return err
		}
		if part != nil {
			defer part.Close()
			a = part
		}
	}
	if asksData(r, use) && isPage(a) {
		visit(w, a.Capture)
		return nil
	}
	n, err := o.Neighbourhood(r.Context(), a.Capture)
	if err != nil {
		return err
	}
	m := &answer{s: s, w: w, r: r, p: p, o: o, n: n, a: a, use: use, state: state, keep: keep, generation: generation, archive: before}
	return m.write()
}

// withOthers adds the other captures of the URI-R to a failure, newest first, so that the reader has somewhere to go.
func (s *Handler) withOthers(r *http.Request, p respond.Path, o *timeline.Original, err error) error {
	f := respond.AsFailure(err)
	if f.Status != http.StatusServiceUnavailable {
		return err
	}
	tl, failed := o.Timeline(r.Context())
	if failed != nil {
		return err
	}
	var links []memento.Link
	for i := len(tl.Captures) - 1; i >= 0 && len(links) < respond.MaxOthers; i-- {
		c := &tl.Captures[i]
		links = append(links, memento.Link{
			URI: s.site.Absolute(r, p.Coll).Memento(c.Time, p.Mod, c.URL), Rels: []string{"memento"},
			Datetime: c.Time,
		})
	}
	f.Header.Set("Link", memento.FormatLinks(links))
	f.Others = tl.Captures
	return f
}

// archiveState identifies what rewritten answers depend on besides the request: this program, the index, and its access rules. It is the
// same on each server with this index, so that a client can validate its copy at any of them.
func (s *Handler) archiveState() string {
	rules := s.Access.Rules()
	return fmt.Sprintf("%s %s %d %s %d %s", s.Software, s.Index.Whole.Identity(), s.Index.Whole.Generation(), rules.Sum(), s.Access.Day(),
		s.Index.Group)
}

// state identifies everything a rewritten answer depends on besides the generation; "" if that is unknown.
func (s *Handler) state(r *http.Request, p respond.Path, c *cdx.Capture, use uses.Use) string {
	if !respond.Reads(r) {
		return ""
	}
	if from, _ := s.site.FromLanding(r, p.Coll); from != nil { // the banner mentions it
		return ""
	}
	var page cdx.Timestamp
	if embedded(use) {
		page, _ = s.fromPage(r, p.Coll)
	}
	return fmt.Sprintf("%s %d:%d %s %s %s %s %q %s %s %s %t %t %t", p.Coll, c.File, c.Offset, p.From, page, p.Mod, use, p.URIR, s.site.Base(r),
		respond.Preferred(r),
		locale.Choose(r.Header.Get("Accept-Language")), ajax(r, use), inWorker(r), runsScripts(r))
}
