package engine

import (
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/uses"
	"github.com/varve-archive/varve/static"
)

// shell answers a navigation within a replayed site to a document that was never captured, if the page's service worker may have
// generated it. The answer is an empty document with the usual guards, in which the stand-in of the service worker runs and provides the
// content (serviceworker.js). If there is no worker, or it has no such document, the browser requests the address again without a
// Referer, and gets the page about missing captures. shell reports whether it answered.
func (s *Handler) shell(w http.ResponseWriter, r *http.Request, p respond.Path, ts cdx.Timestamp, use uses.Use) bool {
	dest := r.Header.Get("Sec-Fetch-Dest")
	h := w.Header()
	respond.Vary(h, "Referer", "Sec-Fetch-Dest")
	if r.Method != http.MethodGet || !static.HasWombat() || dest != "document" && dest != "iframe" || use == uses.Raw ||
		!s.site.FromSameSite(r, p) {
		return false
	}
	m := &answer{s: s, w: w, r: r, p: p, use: uses.Page, a: &archive.Response{Capture: &cdx.Capture{URL: p.URIR, Time: ts}}, guarded: true}
	var o rewrite.Options
	m.clientSide(&o, rewrite.FormatHTML)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", m.documentPolicy(h))
	h.Set("Link", memento.FormatLinks(s.site.Absolute(r, p.Coll).TimeGateLinks(&memento.Neighbourhood{Original: p.URIR})))
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Robots-Tag", "noindex")
	s.site.TellReferrer(h, "")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(respond.Shell(o.Head))
	return true
}
