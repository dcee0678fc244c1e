package proxy

import (
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/forward"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// proxyHost is the proxy's own site, at http and https. It explains the proxy, lets readers choose collection and
// datetime, and has the server's pages about the archive. It never serves archived bytes, because those could act in
// its name.
const proxyHost = "varve.proxy"

// Paths of varve.proxy besides the server's pages.
const (
	choosePath = "/-/choose"
	staticPath = "/-/static/"

	skipLandingParam = "go" // on a landing page: forward readers who want no landing pages
)

// serveDirect answers requests to the proxy's own address, by clients that don't use it as a proxy yet.
func (p *Proxy) serveDirect(req *request) error {
	switch path := req.r.URL.Path; {
	case path == "/":
		return chooser{p}.home(req)
	case path == forward.PEMPath || path == forward.DERPath:
		p.ca.Serve(req.w, req.r, path)
		return nil
	case strings.HasPrefix(path, staticPath):
		p.sites[""].Static(req.w, req.r)
		return nil
	}
	return respond.BadRequest("this is the proxy itself: set it as the HTTP proxy of your browser, then open http://" + proxyHost + "/")
}

func (p *Proxy) serveSite(req *request) error {
	s, ok := p.sites[req.scheme]
	if !ok {
		return respond.NotFound(proxyHost + " is reached by http and https")
	}
	target := "/" + strings.TrimPrefix(req.uriR[len(originOf(req.uriR))-1:], "/")
	path, _, _ := strings.Cut(target, "?")
	switch {
	case path == "/":
		return chooser{p}.home(req)
	case path == forward.PEMPath || path == forward.DERPath:
		p.ca.Serve(req.w, req.r, path)
		return nil
	case path == choosePath:
		return chooser{p}.choose(req)
	case strings.HasPrefix(path, staticPath):
		s.Static(req.w, req.r)
		return nil
	case strings.HasPrefix(target, signedPrefix):
		signature, rest, _ := strings.Cut(target[len(signedPrefix):], "/")
		return p.move(req, respond.ParsePath("/"+rest), signature)
	}
	at := respond.ParsePath(target)
	switch at.Kind {
	case respond.Memento, respond.TimeGate:
		return p.move(req, at, "")
	case respond.Landing:
		if p.skipLanding(req, at) {
			return nil
		}
	case respond.Home, respond.Internal, respond.NoPath, respond.Animate: // an animation shows archived pages
		return respond.NotFound("no such page")
	}
	if err := s.Answer(req.w, req.r, at); err != nil {
		s.Fail(req.w, req.r, at, err)
	}
	return nil
}

// A chooser takes the collection and the datetime that a client chooses.
type chooser struct{ *Proxy }

// home is the page that explains the proxy and has the form for collection and datetime.
func (p chooser) home(req *request) error {
	chosen := p.clients.choiceOf(req.id)
	v := homeView{
		Page: p.sites[req.scheme].Site().Shared(req.r, respond.Path{}), Direct: req.uriR == "", Address: req.r.Host,
		Collections: p.Archive.Index.Collections(), Collection: chosen.coll, Fixed: req.id.coll != "",
		Time: chosen.datetime, Default: p.Datetime, Choose: choosePath, Token: p.formToken(req.id),
		PEM: forward.PEMPath, DER: forward.DERPath, Fingerprint: p.ca.Fingerprint(),
	}
	return respond.Render(req.w, req.r, http.StatusOK, homePage(v))
}

// formToken proves that a form came from varve.proxy: archived pages can't read its pages.
func (p chooser) formToken(id identity) string { return p.sign("", id.key) }

// maxForm bounds the size of the submitted form in bytes.
const maxForm = 16 << 10

// choose handles the form: collection, datetime, and the address to go to.
func (p chooser) choose(req *request) error {
	if req.r.Method != http.MethodPost {
		return &respond.Failure{Status: http.StatusMethodNotAllowed, Say: "choosing takes a POST", Header: http.Header{"Allow": {"POST"}}}
	}
	req.r.Body = http.MaxBytesReader(req.w, req.r.Body, maxForm)
	if err := req.r.ParseForm(); err != nil {
		return respond.BadRequest("the form can't be read")
	}
	form := req.r.PostForm
	if !p.signed(form.Get("token"), "", req.id.key) {
		say := "this form is not from this proxy, or from before its last start: open http://" + proxyHost + "/ and choose there"
		return &respond.Failure{Status: http.StatusForbidden, Say: say}
	}
	chosen, err := p.parseChoice(form.Get("collection"), form.Get("datetime"))
	if err != nil {
		return err
	}
	p.clients.choose(req.id, chosen)
	to := "/"
	if uriR := memento.ParseURIR(form.Get("url")); uriR != "" {
		to = withScheme(req.scheme, uriR)
	}
	req.w.Header().Set("Location", string(memento.AppendURI(nil, to)))
	req.w.Header().Set("Cache-Control", "no-store")
	req.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// parseChoice reads a choice. A datetime may have separators between its digits, as browsers' date fields do.
func (p chooser) parseChoice(coll, datetime string) (choice, error) {
	if coll != "" && !p.Archive.Index.Has(coll) {
		return choice{}, respond.BadRequest("there is no collection " + quoted(coll) + " here")
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
	ts, err := cdx.ParseAsked(digits)
	if err != nil {
		return choice{}, respond.BadRequest("that is no datetime; one looks like 2014-01-31 12:00")
	}
	return choice{coll: coll, datetime: ts}, nil
}
