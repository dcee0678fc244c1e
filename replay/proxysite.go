package replay

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
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
		p.server.static.ServeHTTP(a.w, a.r)
		return nil
	}
	return badRequest("this is the proxy itself: set it as the HTTP proxy of your browser, then open http://" + proxyHost + "/")
}

// site answers for varve.proxy.
func (p *Proxy) site(a *ask) error {
	s, ok := p.sites[a.scheme]
	if !ok {
		return notFound(proxyHost + " is reached by http and https")
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
		s.static.ServeHTTP(a.w, a.r)
		return nil
	case strings.HasPrefix(target, signedPrefix):
		signature, rest, _ := strings.Cut(target[len(signedPrefix):], "/")
		return p.move(a, ParsePath("/"+rest), signature)
	}
	at := ParsePath(target)
	switch at.Kind {
	case Memento, TimeGate:
		return p.move(a, at, "")
	case Landing:
		if p.goesOn(a, at) {
			return nil
		}
	case Home, Own, NoPath, Animate: // an animation shows archived pages
		return notFound("no such page")
	}
	if err := s.route(a.w, a.r, at); err != nil {
		s.fail(a.w, a.r, at, err)
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
		Page: p.sites[a.scheme].shared(a.r, Path{}), Direct: a.uriR == "", Address: a.r.Host,
		Collections: p.server.Index.Collections(), Collection: made.coll, Fixed: a.id.coll != "",
		Time: made.datetime, Default: p.Datetime, Choose: choosePath, Token: p.formToken(a.id),
		PEM: caPath, DER: caDERPath, Fingerprint: fmt.Sprintf("% X", sha256.Sum256(p.ca.der)),
	}
	return render(a.w, a.r, http.StatusOK, banner.Proxy(v))
}

// formToken shows that a form is of varve.proxy's own: archived pages can't read there.
func (p *Proxy) formToken(id identity) string { return p.sign("", id.key) }

// maxForm bounds what choosing sends.
const maxForm = 16 << 10

// choose takes the form: collection, datetime, and where to go then.
func (p *Proxy) choose(a *ask) error {
	if a.r.Method != http.MethodPost {
		return &failure{status: http.StatusMethodNotAllowed, say: "choosing takes a POST", header: http.Header{"Allow": {"POST"}}}
	}
	a.r.Body = http.MaxBytesReader(a.w, a.r.Body, maxForm)
	if err := a.r.ParseForm(); err != nil {
		return badRequest("the form can't be read")
	}
	form := a.r.PostForm
	if !p.signed(form.Get("token"), "", a.id.key) {
		return &failure{status: http.StatusForbidden, say: "this form is not from this proxy, or from before it was started: open http://" + proxyHost + "/ and choose there"}
	}
	made, err := p.chosen(form.Get("collection"), form.Get("datetime"))
	if err != nil {
		return err
	}
	p.clients.choose(a.id, made)
	to := "/"
	if uriR := URIR(form.Get("url")); uriR != "" {
		to = inScheme(a.scheme, uriR)
	}
	a.w.Header().Set("Location", string(memento.AppendURI(nil, to)))
	a.w.Header().Set("Cache-Control", "no-store")
	a.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// chosen reads a choice. A datetime may be written with signs between its digits, as browsers' fields do.
func (p *Proxy) chosen(coll, datetime string) (choice, error) {
	if coll != "" && !p.server.has(coll) {
		return choice{}, badRequest("there is no collection " + quoted(coll) + " here")
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
		return choice{}, badRequest("that is no datetime; one looks like 2014-01-31 12:00")
	}
	return choice{coll: coll, datetime: ts}, nil
}

// quoted is a word of the client's within a sentence.
func quoted(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return fmt.Sprintf("%q", s)
}

// move sets the client's datetime to that of a URI-M and sends to its URI-R. An archived page must not do that behind
// the reader's back: who doesn't come from where such links are made is asked.
func (p *Proxy) move(a *ask, to Path, signature string) error {
	if to.Kind != Memento && to.Kind != TimeGate || to.URIR == "" {
		return notFound("no such page")
	}
	made, err := p.chosen(to.Coll, to.From)
	if err != nil {
		return err
	}
	if !p.meant(a) && !p.signed(signature, to.Coll, cdx.Key(to.URIR)) {
		return p.askBefore(a, to, made)
	}
	if to.Kind == TimeGate {
		made.datetime = p.clients.of(a.id).datetime
	}
	p.clients.choose(a.id, made)
	a.w.Header().Set("Cache-Control", "no-store")
	redirect(a.w, inScheme(a.scheme, to.URIR))
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

func (p *Proxy) askBefore(a *ask, to Path, made choice) error {
	if !isBrowser(a.r) {
		return &failure{status: http.StatusForbidden, say: "a datetime is chosen at http://" + proxyHost + "/ in a browser; other clients send Accept-Datetime"}
	}
	v := banner.ProxyMoveView{
		Page: p.sites[a.scheme].shared(a.r, Path{URIR: to.URIR}), Time: made.datetime, Collection: to.Coll,
		Choose: choosePath, Token: p.formToken(a.id),
	}
	return render(a.w, a.r, http.StatusOK, banner.ProxyMove(v))
}

// goesOn sends a reader on who follows redirects unasked, from the landing page to where it leads.
func (p *Proxy) goesOn(a *ask, at Path) bool {
	if at.Params.Get(unaskedParam) == "" || !goesUnasked(a.r, siteOf(at.URIR)) {
		return false
	}
	ts, err := cdx.ParseTimestamp(at.From)
	if err != nil {
		return false
	}
	l, err := p.server.findLanding(a.r.Context(), at.Coll, at.URIR, ts)
	if err != nil || l.target == "" {
		return false
	}
	a.w.Header().Set("Cache-Control", "no-store")
	redirect(a.w, inScheme(a.scheme, l.target))
	return true
}

// missing is the failure of a URI-R without usable captures.
func (p *Proxy) missing(a *ask) error {
	return &failure{
		status: http.StatusNotFound, absent: true,
		say: "the collection " + a.coll + " has no capture of " + a.uriR + ", and nothing is asked of the live web",
		header: http.Header{
			"Link": {memento.FormatLinks([]memento.Link{{URI: a.uriR, Rels: []string{"original", "timegate"}}})},
			"Vary": {"accept-datetime"},
		},
	}
}

// fail answers with err in varve's words: as a page that leads on at varve.proxy, or as a line of text.
func (p *Proxy) fail(a *ask, err error) {
	f := asFailure(err)
	h := a.w.Header()
	h.Set("Cache-Control", "no-cache")
	if a.uriR != "" {
		allowAsking(h, a.r)
	}
	s := p.sites[a.scheme]
	if s == nil {
		s = p.sites["http"]
	}
	if f.status == http.StatusNotFound && f.absent && isBrowser(a.r) && forReader(a.r) && p.missingPage(a, s, f) == nil {
		return
	}
	at := Path{Coll: a.coll, URIR: a.uriR}
	if !forReader(a.r) { // what a page asks for itself gets a line
		a.r.Header.Del("Accept")
	}
	s.fail(&elsewhere{a.w, s.links}, a.r, at, f)
}

// endOfTime is nearest to the newest captures.
const endOfTime = cdx.Timestamp(99991231235959)

// missingPage shows what there is in place of a URI-R without usable captures, at its own address.
func (p *Proxy) missingPage(a *ask, s *Server, f *failure) error {
	at, ts := Path{Coll: a.coll, URIR: a.uriR}, a.datetime
	if ts == 0 {
		ts = endOfTime
	}
	l, err := s.findLanding(a.r.Context(), a.coll, a.uriR, ts)
	if err != nil {
		return err
	}
	v := s.landingView(a.r, at, l)
	for i := range v.Alternatives { // at the client's datetime
		v.Alternatives[i].Href = inScheme(a.scheme, v.Alternatives[i].URIR)
	}
	for name, values := range f.header {
		a.w.Header()[name] = values
	}
	vary(a.w.Header(), "Accept")
	return render(&elsewhere{a.w, s.links}, a.r, f.status, banner.Landing(v))
}

// elsewhere sends a page of varve.proxy at another address: what its policy calls 'self' is varve.proxy there.
type elsewhere struct {
	http.ResponseWriter
	origin string
}

// WriteHeader implements [http.ResponseWriter].
func (e *elsewhere) WriteHeader(status int) {
	h := e.Header()
	if policy := h.Get("Content-Security-Policy"); policy != "" && e.origin != "" {
		h.Set("Content-Security-Policy", strings.ReplaceAll(policy, "'self'", e.origin))
	}
	e.ResponseWriter.WriteHeader(status)
}

// Unwrap lets [http.ResponseController] reach the writer below.
func (e *elsewhere) Unwrap() http.ResponseWriter { return e.ResponseWriter }
