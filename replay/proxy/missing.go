package proxy

import (
	"cmp"
	"maps"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// missing returns the failure for a URI-R without usable captures. Those that may not be shown, or can't be read now, are archived.
func (p *Proxy) missing(req *request) error {
	if req.passed != nil {
		return req.passed
	}
	return &respond.Failure{
		Status: http.StatusNotFound, Absent: true,
		Say: "the collection " + req.coll + " has no capture of " + req.uriR + ", and this proxy never asks the live web",
		Header: http.Header{
			"Link": {memento.FormatLinks([]memento.Link{{URI: req.uriR, Rels: []string{"original", "timegate"}}})},
			"Vary": {"accept-datetime"},
		},
	}
}

// fail answers with err in varve's words: a page that leads on to varve.proxy, or a line of text.
func (p *Proxy) fail(req *request, err error) {
	f := respond.AsFailure(err)
	h := req.w.Header()
	h.Set("Cache-Control", "no-cache")
	if req.uriR != "" {
		allowAsking(h, req.r)
	}
	if p.shell(req, f) {
		return
	}
	s := p.sites[req.scheme]
	if s == nil {
		s = p.sites["http"]
	}
	if f.Status == http.StatusNotFound && f.Absent && respond.IsBrowser(req.r) && forReader(req.r) && p.missingPage(req, s, f) == nil {
		return
	}
	at := respond.Path{Coll: req.coll, URIR: req.uriR}
	if !forReader(req.r) { // a request by a page gets a line of text
		req.r.Header.Del("Accept")
	}
	s.Fail(&policyWriter{req.w, s.Site().Links}, req.r, at, f)
}

// endOfTime is a datetime nearest to the newest capture.
const endOfTime = cdx.Timestamp(99991231235959)

// missingPage shows alternatives to a URI-R without usable captures, at the address of that URI-R. They lead to their
// original addresses, at the client's datetime.
func (p *Proxy) missingPage(req *request, s SiteServer, f *respond.Failure) error {
	ts := cmp.Or(req.datetime, endOfTime)
	w := &policyWriter{req.w, s.Site().Links}
	maps.Copy(w.Header(), f.Header)
	respond.Vary(w.Header(), "Accept")
	path := respond.Path{Coll: req.coll, URIR: req.uriR}
	return s.Missing(w, req.r, path, ts, func(uriR string) string { return withScheme(req.scheme, uriR) })
}

// A policyWriter sends a page of varve.proxy at another address. In its Content-Security-Policy it replaces 'self' by
// varve.proxy.
type policyWriter struct {
	http.ResponseWriter
	origin string
}

func (e *policyWriter) WriteHeader(status int) {
	h := e.Header()
	if policy := h.Get("Content-Security-Policy"); policy != "" && e.origin != "" {
		h.Set("Content-Security-Policy", strings.ReplaceAll(policy, "'self'", e.origin))
	}
	e.ResponseWriter.WriteHeader(status)
}

// Unwrap lets [http.ResponseController] reach the wrapped writer.
func (e *policyWriter) Unwrap() http.ResponseWriter { return e.ResponseWriter }
