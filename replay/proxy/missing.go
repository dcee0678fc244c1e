package proxy

import (
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
)

// missing is the failure of a URI-R without usable captures.
func (p *Proxy) missing(a *ask) error {
	return &web.Failure{
		Status: http.StatusNotFound, Absent: true,
		Say: "the collection " + a.coll + " has no capture of " + a.uriR + ", and nothing is asked of the live web",
		Header: http.Header{
			"Link": {memento.FormatLinks([]memento.Link{{URI: a.uriR, Rels: []string{"original", "timegate"}}})},
			"Vary": {"accept-datetime"},
		},
	}
}

// fail answers with err in varve's words: as a page that leads on at varve.proxy, or as a line of text.
func (p *Proxy) fail(a *ask, err error) {
	f := web.AsFailure(err)
	h := a.w.Header()
	h.Set("Cache-Control", "no-cache")
	if a.uriR != "" {
		allowAsking(h, a.r)
	}
	s := p.sites[a.scheme]
	if s == nil {
		s = p.sites["http"]
	}
	if f.Status == http.StatusNotFound && f.Absent && web.IsBrowser(a.r) && forReader(a.r) && p.missingPage(a, s, f) == nil {
		return
	}
	at := web.Path{Coll: a.coll, URIR: a.uriR}
	if !forReader(a.r) { // what a page asks for itself gets a line
		a.r.Header.Del("Accept")
	}
	s.Fail(&elsewhere{a.w, s.Site().Links}, a.r, at, f)
}

// endOfTime is nearest to the newest captures.
const endOfTime = cdx.Timestamp(99991231235959)

// missingPage shows what there is in place of a URI-R without usable captures, at its own address. Alternatives lead to
// their own addresses, at the client's datetime.
func (p *Proxy) missingPage(a *ask, s SiteServer, f *web.Failure) error {
	ts := a.datetime
	if ts == 0 {
		ts = endOfTime
	}
	w := &elsewhere{a.w, s.Site().Links}
	for name, values := range f.Header {
		w.Header()[name] = values
	}
	web.Vary(w.Header(), "Accept")
	return s.Missing(w, a.r, web.Path{Coll: a.coll, URIR: a.uriR}, ts, func(uriR string) string { return inScheme(a.scheme, uriR) })
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
