package replay

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite"
)

// meantForPage are archived headers that rewritten replay only shows, for they would act on varve's origin, and that the
// proxy sends: here the page is at its own address, and they mean what they meant. What would act on the
// browser beyond the archive (HSTS, Alt-Svc, Clear-Site-Data, reports …) stays shown only, like what varve says itself.
var meantForPage = map[string]bool{
	"Set-Cookie": true, "Refresh": true, "Sourcemap": true, "X-Sourcemap": true,
	"Last-Modified": true, "Server": true, "Allow": true, "Retry-After": true,
	"X-Frame-Options": true, "Referrer-Policy": true, "Permissions-Policy": true, "Feature-Policy": true, "Document-Policy": true,
	"Cross-Origin-Opener-Policy": true, "Cross-Origin-Embedder-Policy": true, "Cross-Origin-Resource-Policy": true,
	"X-Permitted-Cross-Domain-Policies": true, "Timing-Allow-Origin": true, "X-Xss-Protection": true, "P3p": true,
	"Origin-Agent-Cluster": true, "Speculation-Rules": true, "No-Vary-Search": true,
}

// meantForContent would keep the banner from showing where there is one.
var meantForContent = map[string]bool{
	"Content-Security-Policy": true, "X-Content-Security-Policy": true, "X-Webkit-Csp": true,
}

// head sets the headers: the archived ones but for those that would do harm, and those of a memento that is answered
// under its URI-R (RFC 7089 §4.1.2). changed says that the body is not sent as it was archived.
func (p *Proxy) head(a *ask, m *answer, changed bool) {
	h := a.w.Header()
	archived := make(http.Header, len(m.a.header))
	for _, f := range m.a.header {
		archived.Add(f.Name, f.Value)
	}
	for name, values := range rewrite.Header(archived, rewrite.HeaderOptions{Base: m.a.capture.URL, Resolve: asIs, PassUnknown: true, Changed: changed}) {
		orig, shown := strings.CutPrefix(name, rewrite.OriginalPrefix)
		switch {
		case shown && (meantForPage[orig] || meantForContent[orig] && m.key == ""):
			h[orig] = values
		case !meantForPage[name]:
			h[name] = values
		}
	}
	uris, c := memento.URIs{Base: p.ServerURL, Coll: a.coll}, m.a.capture
	links := memento.FormatLinks(uris.ProxyLinks(m.n))
	if ahead := h.Values("Link"); len(ahead) > 0 {
		links += ", " + strings.Join(ahead, ", ")
	}
	h.Set("Link", links)
	h.Set("Memento-Datetime", memento.FormatDatetime(c.Time))
	h.Set("Content-Location", string(memento.AppendURI(nil, uris.Memento(c.Time, "", c.URL))))
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", "no-cache") // the same address is another capture at another datetime
	h.Set("Etag", etag(c, changed))
	vary(h, "accept-datetime")
	if m.a.coding() != "" && p.Banner {
		vary(h, "Accept-Encoding")
	}
	if p.Banner && p.refers(m) {
		vary(h, decidesBanner...)
	}
	allowAsking(h, a.r)
	h.Del("Content-Length")
}

// etag names what is sent of a capture.
func etag(c *cdx.Capture, changed bool) string {
	if changed {
		return fmt.Sprintf(`"varve-%d-%d-decoded"`, c.File, c.Offset)
	}
	return fmt.Sprintf(`"varve-%d-%d"`, c.File, c.Offset)
}

// unchanged answers 304 to who has the capture already (RFC 9110 §13.1.2), and leaves a range alone that is of
// something else (§13.1.5).
func (p *Proxy) unchanged(a *ask, m *answer, changed bool) bool {
	tag := etag(m.a.capture, changed)
	if r := a.r.Header.Get("If-Range"); r != "" && r != tag {
		a.r.Header.Del("Range")
	}
	a.r.Header.Del("If-Range")
	if m.a.status != http.StatusOK || a.r.Method != http.MethodGet && a.r.Method != http.MethodHead {
		return false
	}
	for have := range strings.SplitSeq(a.r.Header.Get("If-None-Match"), ",") {
		if strings.TrimPrefix(strings.TrimSpace(have), "W/") == tag {
			a.w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

// allowAsking lets the page that asks read the answer, whichever origin the archived answer was made for.
func allowAsking(h http.Header, r *http.Request) {
	allowOrigins(h)
	if origin := r.Header.Get("Origin"); origin != "" {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Credentials", "true")
		vary(h, "Origin")
	}
}

// preflight answers what a browser asks before a request of another origin: no archive has that.
func (p *Proxy) preflight(a *ask) {
	h := a.w.Header()
	allowAsking(h, a.r)
	h.Set("Allow", "GET, HEAD, POST, OPTIONS")
	if method := a.r.Header.Get("Access-Control-Request-Method"); method != "" {
		h.Set("Access-Control-Allow-Methods", method)
	}
	if headers := a.r.Header.Get("Access-Control-Request-Headers"); headers != "" {
		h.Set("Access-Control-Allow-Headers", headers)
	}
	a.w.WriteHeader(http.StatusNoContent)
}
