package proxy

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/respond"
)

// quoted shortens and quotes a client's word for use in a sentence.
func quoted(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return fmt.Sprintf("%q", s)
}

// move sets the client's datetime to that of a URI-M and redirects to its URI-R. An archived page must not do that
// without the reader's knowledge, so move asks the reader unless the request comes from a place that makes such
// links.
func (p *Proxy) move(req *request, to respond.Path, signature string) error {
	if to.Kind != respond.Memento && to.Kind != respond.TimeGate || to.URIR == "" {
		return respond.NotFound("no such page")
	}
	chosen, err := chooser{p}.parseChoice(to.Coll, to.From)
	if err != nil {
		return err
	}
	if !p.startedByReader(req) && !p.signed(signature, to.Coll, surt.Of(to.URIR)) {
		return p.askReader(req, to, chosen)
	}
	if to.Kind == respond.TimeGate {
		chosen.datetime = p.clients.choiceOf(req.id).datetime
	}
	p.clients.choose(req.id, chosen)
	req.w.Header().Set("Cache-Control", "no-store")
	respond.Redirect(req.w, withScheme(req.scheme, to.URIR))
	return nil
}

// withScheme returns a URI-R with the scheme that the reader is using. Archives hold both schemes as one resource,
// and a reader who does not trust the CA can only read http.
func withScheme(scheme, uriR string) string {
	u, err := url.Parse(uriR)
	if err != nil || u.Port() != "" || u.Scheme != "http" && u.Scheme != "https" {
		return uriR
	}
	return scheme + uriR[len(u.Scheme):]
}

// startedByReader reports whether, as far as the browser tells, the reader started a request to varve.proxy: by a
// link on its own pages, by typing an address, or by a click.
func (p *Proxy) startedByReader(req *request) bool {
	h := req.r.Header
	switch h.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return true
	case "":
		return strings.HasPrefix(h.Get("Referer"), req.scheme+"://"+proxyHost+"/")
	}
	return h.Get("Sec-Fetch-User") == "?1" && h.Get("Sec-Fetch-Dest") == "document"
}

// askReader answers with a page on which the reader confirms the move.
func (p *Proxy) askReader(req *request, to respond.Path, chosen choice) error {
	if !respond.IsBrowser(req.r) {
		say := "a datetime is chosen at http://" + proxyHost + "/ in a browser; other clients send Accept-Datetime"
		return &respond.Failure{Status: http.StatusForbidden, Say: say}
	}
	v := moveView{
		Page: p.sites[req.scheme].Site().Shared(req.r, respond.Path{URIR: to.URIR}), Time: chosen.datetime, Collection: to.Coll,
		Choose: choosePath, Token: chooser{p}.formToken(req.id),
	}
	return respond.Render(req.w, req.r, http.StatusOK, movePage(v))
}

// skipLanding redirects readers who want no landing pages to the target of the redirect, and reports whether it did.
func (p *Proxy) skipLanding(req *request, at respond.Path) bool {
	if at.Params.Get(skipLandingParam) == "" || !respond.SkipsLanding(req.r, respond.SiteOf(at.URIR)) {
		return false
	}
	ts, err := cdx.ParseAsked(at.From)
	if err != nil {
		return false
	}
	l, err := landing.Find(req.r.Context(), p.Archive.Timelines, at.Coll, at.URIR, ts)
	if err != nil || l.Target == "" {
		return false
	}
	req.w.Header().Set("Cache-Control", "no-store")
	respond.Redirect(req.w, withScheme(req.scheme, l.Target))
	return true
}
