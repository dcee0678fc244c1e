package absent

import (
	"context"
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/ways"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite/reference"
)

// Landing answers /{coll}/landing: a page for browsers, JSON for others.
func (h *Handler) Landing(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	ts, err := respond.Datetime(p)
	if err != nil {
		return err
	}
	l, err := landing.Find(r.Context(), h.archive.Timelines, p.Coll, p.URIR, ts)
	switch {
	case err != nil:
		return err
	case l.Capture == nil:
		return h.site.Missing(r, p)
	case l.Kind.Shown():
		respond.Redirect(w, h.site.Absolute(r, p.Coll).Memento(l.Capture.Time, "", l.Capture.URL))
		return nil
	}
	respond.Vary(w.Header(), "Accept")
	if respond.IsBrowser(r) {
		v, err := h.view(r, p, l)
		if err != nil {
			return err
		}
		return respond.Render(w, r, http.StatusOK, landingPage(v))
	}
	return respond.WriteJSON(w, r, l.Facts(h.site.Absolute(r, p.Coll)))
}

// view returns the page's view of a landing.
func (h *Handler) view(r *http.Request, p respond.Path, l *landing.Landing) (landingView, error) {
	uris := h.site.Local(p.Coll)
	v := landingView{Page: h.shared(r, p), Case: landingNever, Status: http.StatusNotFound, Site: respond.SiteOf(l.URIR)}
	v.URIR = l.URIR
	p.URIR = l.URIR
	v.Ways = h.ways.From(r, p)
	switch {
	case reference.IsInvalid(l.URIR):
		v.Case = landingInvalid
	case reference.IsShortened(l.URIR):
		v.Case = landingLong
	}
	if c := l.Capture; c != nil {
		v.Case, v.Time, v.Status, v.Calendar = caseOf(l), c.Time, c.Status, uris.Calendar(c.URL)
		v.Target, v.TargetIsHome = l.Target, surt.IsHome(l.EndURIR())
		v.TargetCard = h.card(r.Context(), uris, l.LeadsTo())
		v.Before, v.After = h.card(r.Context(), uris, l.Before), h.card(r.Context(), uris, l.After)
		v.Similarity = layout.SimilarityOf(l.Similarity)
		v.Chain = hopsOf(uris, l.Hops)
	} else {
		v.Feed = "" // of what was never captured there is none
	}
	others := make([]*cdx.Capture, len(l.Alternatives))
	for i := range l.Alternatives {
		others[i] = l.Alternatives[i].Capture
	}
	titles, err := h.archive.Titles(r.Context(), others)
	if err != nil {
		return v, err
	}
	for _, a := range l.Alternatives {
		v.Alternatives = append(v.Alternatives, ways.Alternative{
			CaptureLink: *respond.CaptureLink(uris, a.Capture), URIR: a.Capture.URL, Title: titles[a.Capture.Location],
			Similarity: shownSimilarity(&a), Why: a.Why,
		})
	}
	return v, nil
}

// shownSimilarity hides a similarity that would only say that a neighbour is a different page.
func shownSimilarity(a *landing.Alternative) layout.Similarity {
	if a.Rank() == 0 {
		return layout.Similarity{}
	}
	return layout.SimilarityOf(a.Similarity)
}

func caseOf(l *landing.Landing) landingCase {
	switch {
	case l.Kind == change.Redirect:
		return landingRedirect
	case l.Soft:
		return landingSoft404
	}
	return landingMissing
}

func hopsOf(uris memento.URIs, hops []landing.Hop) []hopView {
	var out []hopView
	for _, h := range hops {
		v := hopView{URIR: h.URIR, Loop: h.Loop}
		if c := h.Capture; c != nil {
			v.Href, v.Time, v.Status = uris.Memento(c.Time, "", c.URL), c.Time, c.Status
		}
		out = append(out, v)
	}
	return out
}

// card shows a capture with the beginning of its text. If the record can't be read, the card says so.
func (h *Handler) card(ctx context.Context, uris memento.URIs, c *cdx.Capture) *cardView {
	if c == nil {
		return nil
	}
	v := &cardView{CaptureLink: *respond.CaptureLink(uris, c), URIR: c.URL}
	if c.Text == 0 {
		return v
	}
	t, err := h.archive.Text(ctx, c)
	if err != nil {
		h.archive.Log.Warn("no preview", "uri", c.URL, "file", c.FileName, "offset", c.Offset, "error", err)
		v.Unreadable = archive.IsUnreadable(err)
		return v
	}
	v.Title, v.Preview = t.Title, preview(&t)
	return v
}
