package proxy

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/web"
)

// quoted is a word of the client's within a sentence.
func quoted(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return fmt.Sprintf("%q", s)
}

// move sets the client's datetime to that of a URI-M and sends to its URI-R. An archived page must not do that behind
// the reader's back: who doesn't come from where such links are made is asked.
func (p *Proxy) move(a *ask, to web.Path, signature string) error {
	if to.Kind != web.Memento && to.Kind != web.TimeGate || to.URIR == "" {
		return web.NotFound("no such page")
	}
	made, err := p.chosen(to.Coll, to.From)
	if err != nil {
		return err
	}
	if !p.meant(a) && !p.signed(signature, to.Coll, surt.Of(to.URIR)) {
		return p.askBefore(a, to, made)
	}
	if to.Kind == web.TimeGate {
		made.datetime = p.clients.of(a.id).datetime
	}
	p.clients.choose(a.id, made)
	a.w.Header().Set("Cache-Control", "no-store")
	web.Redirect(a.w, inScheme(a.scheme, to.URIR))
	return nil
}

// inScheme returns a URI-R with the scheme in which the reader goes about: archives hold both for the same, and who
// does not trust the CA can read but one.
func inScheme(scheme, uriR string) string {
	u, err := url.Parse(uriR)
	if err != nil || u.Port() != "" || u.Scheme != "http" && u.Scheme != "https" {
		return uriR
	}
	return scheme + uriR[len(u.Scheme):]
}

// meant reports whether a reader's own doing brought a request to varve.proxy, as far as the browser tells: a link in
// its own pages, an address typed, or a click.
func (p *Proxy) meant(a *ask) bool {
	h := a.r.Header
	switch h.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return true
	case "":
		return strings.HasPrefix(h.Get("Referer"), a.scheme+"://"+proxyHost+"/")
	}
	return h.Get("Sec-Fetch-User") == "?1" && h.Get("Sec-Fetch-Dest") == "document"
}

func (p *Proxy) askBefore(a *ask, to web.Path, made choice) error {
	if !web.IsBrowser(a.r) {
		return &web.Failure{Status: http.StatusForbidden, Say: "a datetime is chosen at http://" + proxyHost + "/ in a browser; other clients send Accept-Datetime"}
	}
	v := banner.ProxyMoveView{
		Page: p.sites[a.scheme].Site().Shared(a.r, web.Path{URIR: to.URIR}), Time: made.datetime, Collection: to.Coll,
		Choose: choosePath, Token: p.formToken(a.id),
	}
	return web.Render(a.w, a.r, http.StatusOK, banner.ProxyMove(v))
}

// goesOn sends a reader on who follows redirects unasked, from the landing page to where it leads.
func (p *Proxy) goesOn(a *ask, at web.Path) bool {
	if at.Params.Get(unaskedParam) == "" || !web.GoesUnasked(a.r, web.SiteOf(at.URIR)) {
		return false
	}
	ts, err := cdx.ParseTimestamp(at.From)
	if err != nil {
		return false
	}
	l, err := p.Archive.FindLanding(a.r.Context(), at.Coll, at.URIR, ts)
	if err != nil || l.Target == "" {
		return false
	}
	a.w.Header().Set("Cache-Control", "no-store")
	web.Redirect(a.w, inScheme(a.scheme, l.Target))
	return true
}
