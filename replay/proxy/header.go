package proxy

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite/header"
)

// isMeantForPage reports whether the proxy sends an archived header that rewritten replay only shows. In rewritten replay it would act on
// varve's origin; here the page is at its original address, so it acts as intended. Headers that would act on the browser beyond the
// archive (HSTS, Alt-Svc, Clear-Site-Data, reports …) are still only shown, and so are those that varve sends itself.
func isMeantForPage(name string) bool {
	switch name {
	case "Set-Cookie", "Refresh", "Sourcemap", "X-Sourcemap", "Last-Modified", "Server", "Allow", "Retry-After",
		"X-Frame-Options", "Referrer-Policy", "Permissions-Policy", "Feature-Policy", "Document-Policy",
		"Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy", "Cross-Origin-Resource-Policy",
		"X-Permitted-Cross-Domain-Policies", "Timing-Allow-Origin", "X-Xss-Protection", "P3p", "Origin-Agent-Cluster",
		"Speculation-Rules", "No-Vary-Search":
		return true
	}
	return false
}

// isMeantForContent reports whether an archived header would block the banner. The proxy sends it only on answers without one.
func isMeantForContent(name string) bool {
	switch name {
	case "Content-Security-Policy", "X-Content-Security-Policy", "X-Webkit-Csp":
		return true
	}
	return false
}

// noPackets allows a document to connect to anything through the proxy, but not by WebRTC, which bypasses proxies (WICG, "Connection
// Allowlists"; Chromium from version 152).
const noPackets = `("*://*:*/*");webrtc=block;redirects=allow`

// head sets the headers: the archived ones except harmful ones, and those of a memento that is answered at its URI-R (RFC 7089 §4.1.2).
// changed says that the body differs from the archived bytes.
func (p *Proxy) head(req *request, m *reply, changed bool) {
	h := req.w.Header()
	options := header.Options{Base: m.response.Capture.URL, Resolve: keepURIs, Changed: changed}
	for name, values := range header.Rewrite(m.response.Header.HTTP(), options) {
		orig, shown := strings.CutPrefix(name, header.OriginalPrefix)
		switch {
		case shown && orig == "Set-Cookie":
			h[orig] = header.Unexpired(values, m.response.Capture.Time.Time())
		case shown && (isMeantForPage(orig) || isMeantForContent(orig) && m.key == ""):
			h[orig] = values
		case !isMeantForPage(name):
			h[name] = values
		}
	}
	respond.GuessNoType(h)
	uris, c := memento.URIs{Base: p.ServerURL, Coll: req.coll}, m.response.Capture
	links := memento.FormatLinks(uris.ProxyLinks(m.near))
	if ahead := h.Values("Link"); len(ahead) > 0 {
		links += ", " + strings.Join(ahead, ", ")
	}
	h.Set("Link", links)
	h.Set("Memento-Datetime", memento.FormatDatetime(c.Time))
	h.Set("Content-Location", string(memento.AppendURI(nil, uris.Memento(c.Time, "", c.URL))))
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Connection-Allowlist", noPackets)
	h.Set("Cache-Control", "no-cache") // the same address shows another capture at another datetime
	h.Set("Etag", etag(c, changed))
	respond.Vary(h, "accept-datetime")
	if m.response.Coding() != "" && p.Banner {
		respond.Vary(h, "Accept-Encoding")
	}
	if p.Banner && p.hasReferences(m) {
		respond.Vary(h, decidesBanner...)
	}
	allowAsking(h, req.r)
	h.Del("Content-Length")
}

// etag identifies the bytes that are sent for a capture.
func etag(c *cdx.Capture, changed bool) string {
	if changed {
		return fmt.Sprintf(`"varve-%d-%d-decoded"`, c.File, c.Offset)
	}
	return fmt.Sprintf(`"varve-%d-%d"`, c.File, c.Offset)
}

// allowAsking lets the requesting page read the answer, whatever origin the archived answer was meant for.
func allowAsking(h http.Header, r *http.Request) {
	respond.AllowOrigins(h)
	if origin := r.Header.Get("Origin"); origin != "" {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Credentials", "true")
		respond.Vary(h, "Origin")
	}
}

// preflight answers the OPTIONS request that a browser sends before a cross-origin request. Archives don't hold
// those.
func (p *Proxy) preflight(req *request) {
	h := req.w.Header()
	allowAsking(h, req.r)
	h.Set("Allow", "GET, HEAD, POST, OPTIONS")
	if method := req.r.Header.Get("Access-Control-Request-Method"); method != "" {
		h.Set("Access-Control-Allow-Methods", method)
	}
	if headers := req.r.Header.Get("Access-Control-Request-Headers"); headers != "" {
		h.Set("Access-Control-Allow-Headers", headers)
	}
	req.w.WriteHeader(http.StatusNoContent)
}
