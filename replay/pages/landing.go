package pages

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/views"
	"github.com/varve-archive/varve/replay/pages/ways"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite/reference"
)

// landingView returns the page's view of a landing.
func (s *Handler) landingView(r *http.Request, p respond.Path, l *landing.Landing) views.LandingView {
	uris := s.site.Local(p.Coll)
	v := views.LandingView{Page: s.Shared(r, p), Case: views.LandingNever, Status: http.StatusNotFound, Site: respond.SiteOf(l.URIR)}
	v.URIR = l.URIR
	p.URIR = l.URIR
	v.Ways = s.ways.From(r, p)
	switch {
	case reference.IsInvalid(l.URIR):
		v.Case = views.LandingInvalid
	case reference.IsShortened(l.URIR):
		v.Case = views.LandingLong
	}
	if c := l.Capture; c != nil {
		v.Case, v.Time, v.Status, v.Calendar = landingCase(l), c.Time, c.Status, uris.Calendar(c.URL)
		v.Target, v.TargetIsHome = l.Target, surt.IsHome(l.EndURIR())
		v.TargetCard = s.card(r.Context(), uris, l.LeadsTo())
		v.Before, v.After = s.card(r.Context(), uris, l.Before), s.card(r.Context(), uris, l.After)
		v.Similarity = layout.SimilarityOf(l.Similarity)
		v.Chain = hopViews(uris, l.Hops)
	} else {
		v.Feed = "" // of what was never captured there is none
	}
	for _, a := range l.Alternatives {
		v.Alternatives = append(v.Alternatives, ways.Alternative{
			CaptureLink: *respond.CaptureLink(uris, a.Capture), URIR: a.Capture.URL, Title: a.Title,
			Similarity: shownSimilarity(&a), Why: a.Why,
		})
	}
	return v
}

// shownSimilarity hides a similarity that would only say that a neighbour is a different page.
func shownSimilarity(a *landing.Alternative) layout.Similarity {
	if a.Rank() == 0 {
		return layout.Similarity{}
	}
	return layout.SimilarityOf(a.Similarity)
}

func landingCase(l *landing.Landing) views.LandingCase {
	switch {
	case l.Kind == change.Redirect:
		return views.LandingRedirect
	case l.Soft:
		return views.LandingSoft404
	}
	return views.LandingMissing
}

func hopViews(uris memento.URIs, hops []landing.Hop) []views.Hop {
	var out []views.Hop
	for _, h := range hops {
		v := views.Hop{URIR: h.URIR, Loop: h.Loop}
		if c := h.Capture; c != nil {
			v.Href, v.Time, v.Status = uris.Memento(c.Time, "", c.URL), c.Time, c.Status
		}
		out = append(out, v)
	}
	return out
}

// card shows a capture with the beginning of its text. If the record can't be read, the card says so.
func (s *Handler) card(ctx context.Context, uris memento.URIs, c *cdx.Capture) *views.Card {
	if c == nil {
		return nil
	}
	v := &views.Card{CaptureLink: *respond.CaptureLink(uris, c), URIR: c.URL}
	if c.Text == 0 {
		return v
	}
	t, err := s.Text(ctx, c)
	if err != nil {
		s.Log.Warn("no preview", "uri", c.URL, "file", c.FileName, "offset", c.Offset, "error", err)
		v.Unreadable = archive.IsUnreadable(err)
		return v
	}
	v.Title, v.Preview = t.Title, preview(&t)
	return v
}

// maxPreview is the greatest length of a preview in bytes.
const maxPreview = 300

// preview returns the beginning of the page's own text, without the text common to its site.
func preview(t *visible.Text) string {
	var b strings.Builder
	for _, block := range t.Blocks {
		if block.Region != visible.Main || block.Links > 0.8 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(block.Text)
		if b.Len() > maxPreview {
			break
		}
	}
	s := b.String()
	if len(s) <= maxPreview {
		return s
	}
	cut := maxPreview
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if i := strings.LastIndexByte(s[:cut], ' '); i > cut/2 {
		cut = i
	}
	return s[:cut] + "…"
}

// Landing answers /{coll}/landing: a page for browsers, JSON for others.
func (s *Handler) Landing(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	ts, err := respond.Moment(p)
	if err != nil {
		return err
	}
	l, err := landing.Find(r.Context(), s.Timelines, p.Coll, p.URIR, ts)
	switch {
	case err != nil:
		return err
	case l.Capture == nil:
		return s.site.Missing(r, p)
	case l.Kind.Shown():
		respond.Redirect(w, s.site.Absolute(r, p.Coll).Memento(l.Capture.Time, "", l.Capture.URL))
		return nil
	}
	respond.Vary(w.Header(), "Accept")
	if respond.IsBrowser(r) {
		return respond.Render(w, r, http.StatusOK, views.Landing(s.landingView(r, p, l)))
	}
	return respond.WriteJSON(w, r, l.Facts(s.site.Absolute(r, p.Coll)))
}
