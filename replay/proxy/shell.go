package proxy

import (
	"net/http"

	"github.com/varve-archive/varve/replay/respond"
)

// shell answers a navigation within a site to a document that was never captured, if the page's service worker may have generated it. The
// answer is an empty document in which the stand-in of the service worker runs and provides the content (serviceworker.js). If there is
// no worker, or it has no such document, the browser requests the address again without a Referer, and gets the proxy's page about
// missing captures. shell reports whether it answered.
//
// The document belongs to the site, with the scripts and headers of any other, so whatever a worker writes into it the page could have
// written into itself.
func (p *Proxy) shell(req *request, f *respond.Failure) bool {
	if !p.Banner || !f.Absent || f.Status != http.StatusNotFound || req.r.Method != http.MethodGet || req.uriR == "" {
		return false
	}
	h := req.w.Header()
	respond.Vary(h, "Referer", "Sec-Fetch-Dest", "Sec-Fetch-Mode")
	if req.r.Header.Get("Sec-Fetch-Mode") != "navigate" || !fillsAWindow(req.r) || !respond.SameOrigin(req.r.Header.Get("Referer"), req.uriR) {
		return false
	}
	for name, values := range f.Header {
		for _, v := range values {
			h.Add(name, v)
		}
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Connection-Allowlist", noPackets)
	h.Set("X-Robots-Tag", "noindex")
	req.w.WriteHeader(http.StatusNotFound)
	_, _ = req.w.Write(respond.Shell(scripts(req)))
	return true
}

// fillsAWindow reports whether a browser requests what fills its window or a frame, as it says on https.
func fillsAWindow(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "document", "iframe", "frame":
		return true
	}
	return false
}
