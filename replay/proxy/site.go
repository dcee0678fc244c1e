package proxy

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
)

// proxyHost is the proxy's own site, at http and https: it explains, lets choose, and has the server's pages about
// the archive. Archived bytes are never served there, for they could speak in its name.
const proxyHost = "varve.proxy"

// Paths of varve.proxy beside those of the server's pages.
const (
	caPath     = "/ca.pem"
	caDERPath  = "/ca.crt"
	choosePath = "/-/choose"
	staticPath = "/-/static/"

	unaskedParam = "go" // of a landing page: a reader who wants no questions is sent on
)

// direct answers what is asked of the proxy's own address, by who has not set it as a proxy yet.
func (p *Proxy) direct(a *ask) error {
	switch path := a.r.URL.Path; {
	case path == "/":
		return p.home(a)
	case path == caPath || path == caDERPath:
		return p.certificate(a, path)
	case strings.HasPrefix(path, staticPath):
		p.sites[""].Static(a.w, a.r)
		return nil
	}
	return web.BadRequest("this is the proxy itself: set it as the HTTP proxy of your browser, then open http://" + proxyHost + "/")
}

// site answers for varve.proxy.
func (p *Proxy) site(a *ask) error {
	s, ok := p.sites[a.scheme]
	if !ok {
		return web.NotFound(proxyHost + " is reached by http and https")
	}
	target := "/" + strings.TrimPrefix(a.uriR[len(originOf(a.uriR))-1:], "/")
	path, _, _ := strings.Cut(target, "?")
	switch {
	case path == "/":
		return p.home(a)
	case path == caPath || path == caDERPath:
		return p.certificate(a, path)
	case path == choosePath:
		return p.choose(a)
	case strings.HasPrefix(path, staticPath):
		s.Static(a.w, a.r)
		return nil
	case strings.HasPrefix(target, signedPrefix):
		signature, rest, _ := strings.Cut(target[len(signedPrefix):], "/")
		return p.move(a, web.ParsePath("/"+rest), signature)
	}
	at := web.ParsePath(target)
	switch at.Kind {
	case web.Memento, web.TimeGate:
		return p.move(a, at, "")
	case web.Landing:
		if p.goesOn(a, at) {
			return nil
		}
	case web.Home, web.Own, web.NoPath, web.Animate: // an animation shows archived pages
		return web.NotFound("no such page")
	}
	if err := s.Answer(a.w, a.r, at); err != nil {
		s.Fail(a.w, a.r, at, err)
	}
	return nil
}

// certificate offers the CA's certificate.
func (p *Proxy) certificate(a *ask, path string) error {
	body, name := p.ca.pem, "varve-proxy-ca.pem"
	if path == caDERPath {
		body, name = p.ca.der, "varve-proxy-ca.crt"
	}
	h := a.w.Header()
	h.Set("Content-Type", "application/x-x509-ca-cert")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("Content-Length", fmt.Sprint(len(body)))
	h.Set("Cache-Control", "no-store")
	a.w.WriteHeader(http.StatusOK)
	if a.r.Method == http.MethodHead {
		return nil
	}
	_, err := a.w.Write(body)
	return err
}

// home is the page that explains and lets choose.
func (p *Proxy) home(a *ask) error {
	made := p.clients.of(a.id)
	v := banner.ProxyView{
		Page: p.sites[a.scheme].Site().Shared(a.r, web.Path{}), Direct: a.uriR == "", Address: a.r.Host,
		Collections: p.Archive.Index.Collections(), Collection: made.coll, Fixed: a.id.coll != "",
		Time: made.datetime, Default: p.Datetime, Choose: choosePath, Token: p.formToken(a.id),
		PEM: caPath, DER: caDERPath, Fingerprint: fmt.Sprintf("% X", sha256.Sum256(p.ca.der)),
	}
	return web.Render(a.w, a.r, http.StatusOK, banner.Proxy(v))
}

// formToken shows that a form is of varve.proxy's own: archived pages can't read there.
func (p *Proxy) formToken(id identity) string { return p.sign("", id.key) }

// maxForm bounds what choosing sends.
const maxForm = 16 << 10

// choose takes the form: collection, datetime, and where to go then.
func (p *Proxy) choose(a *ask) error {
	if a.r.Method != http.MethodPost {
		return &web.Failure{Status: http.StatusMethodNotAllowed, Say: "choosing takes a POST", Header: http.Header{"Allow": {"POST"}}}
	}
	a.r.Body = http.MaxBytesReader(a.w, a.r.Body, maxForm)
	if err := a.r.ParseForm(); err != nil {
		return web.BadRequest("the form can't be read")
	}
	form := a.r.PostForm
	if !p.signed(form.Get("token"), "", a.id.key) {
		return &web.Failure{Status: http.StatusForbidden, Say: "this form is not from this proxy, or from before it was started: open http://" + proxyHost + "/ and choose there"}
	}
	made, err := p.chosen(form.Get("collection"), form.Get("datetime"))
	if err != nil {
		return err
	}
	p.clients.choose(a.id, made)
	to := "/"
	if uriR := memento.ParseURIR(form.Get("url")); uriR != "" {
		to = inScheme(a.scheme, uriR)
	}
	a.w.Header().Set("Location", string(memento.AppendURI(nil, to)))
	a.w.Header().Set("Cache-Control", "no-store")
	a.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// chosen reads a choice. A datetime may be written with signs between its digits, as browsers' fields do.
func (p *Proxy) chosen(coll, datetime string) (choice, error) {
	if coll != "" && !p.Archive.Index.Has(coll) {
		return choice{}, web.BadRequest("there is no collection " + quoted(coll) + " here")
	}
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune("-:T ", r) {
			return -1
		}
		return r
	}, datetime)
	if digits == "" {
		return choice{coll: coll}, nil
	}
	ts, err := cdx.ParseTimestamp(digits)
	if err != nil {
		return choice{}, web.BadRequest("that is no datetime; one looks like 2014-01-31 12:00")
	}
	return choice{coll: coll, datetime: ts}, nil
}
