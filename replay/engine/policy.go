package engine

import (
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/varve-archive/varve/replay/respond"
)

// policy returns a Content-Security-Policy as a second safeguard beside rewriting: it blocks a page's requests to another host, to
// another collection or to the server's own pages. It is the only policy, since the page's own is sent as X-Archive-Orig-…. No policy can
// limit navigation; inside.js does, and a document without inside.js runs no script. data: URLs are excluded for frames, as such frames
// could open windows without the policy.
func policy(base, home string) string {
	inside := base + home + " " + base + "/-/static/"
	return "default-src 'unsafe-inline' 'unsafe-eval' data: blob: " + inside + pictures(base, inside) + "; frame-src blob: " + inside +
		"; object-src blob: " + inside + "; form-action " + inside + "; base-uri " + inside + "; frame-ancestors 'self'" + others(base)
}

// pictures allows pictures from inside and the icon that browsers look for, which leads into the page's collection.
func pictures(base, inside string) string {
	return "; img-src data: blob: " + inside + " " + base + "/favicon.ico"
}

// reachable lists all addresses that a document may connect or navigate to (WICG, "Connection Allowlists"). In browsers that support it,
// it also covers windows that begin empty, WebRTC and speculative connections, which a policy doesn't. Redirects of varve's own lead into
// the archive. The banner's links lead from a replay origin to the server's own. An address with the name of a user (before its "@") is not
// in the list, and the policy allows it, so inside.js can find out whether the browser enforces the list. It is "" if an address can't be
// written as a pattern. The server has the address own for the browser.
func reachable(own string, site *respond.Site) string {
	var list []string
	for _, at := range []string{own, site.PublicURL, site.ReplayURL} {
		pattern := patternOf(at)
		if pattern == "" && at == own {
			pattern = "response-origin"
		}
		if pattern == "" && at != "" {
			return ""
		}
		if pattern != "" && !slices.Contains(list, pattern) {
			list = append(list, pattern)
		}
	}
	return "(" + strings.Join(list, " ") + ");redirects=allow"
}

// patternOf returns the pattern of all addresses on a server, "" if there is none. A server in front may speak https for one that does not.
func patternOf(at string) string {
	u, err := url.Parse(at)
	if err != nil || u.Host == "" || strings.Contains(u.Host, "[") {
		return ""
	}
	return `"http{s}?://:@` + u.Host + `/*"`
}

func allowConnections(h http.Header, r *http.Request, site *respond.Site) {
	if list := reachable(site.Base(r), site); list != "" {
		h.Set("Connection-Allowlist", list)
	}
}

// others returns the other replay origins, whose pages may frame this one.
func others(base string) string {
	if u, err := url.Parse(base); err == nil && strings.HasPrefix(u.Host, "*.") {
		return " " + u.Scheme + "://" + u.Host
	}
	return ""
}

// sandbox keeps a document from running scripts, and from navigating by itself (HTML, "sandboxed automatic features
// browsing context flag"). Everything else works as without it.
const sandbox = "; sandbox allow-same-origin allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox " +
	"allow-downloads allow-top-navigation-by-user-activation"

// documentPolicy returns the policy of an answer. A guarded one contains inside.js before any script of its own.
func (m *answer) documentPolicy(h http.Header) string {
	if m.s.site.HasOriginPerSite() {
		h.Set("Origin-Agent-Cluster", "?1") // no two hosts become one by document.domain
	}
	allowConnections(h, m.r, m.s.site)
	p := policy(m.s.site.Replayed(m.r), "/"+m.p.Coll+"/")
	if m.guarded || inert(h.Values("Content-Type")) {
		return p
	}
	respond.Vary(h, "Sec-Fetch-Dest")
	if inWorker(m.r) {
		return p
	}
	return p + sandbox
}

// inWorker reports whether a browser requests the script of a worker. That is not a document and doesn't start in a
// sandbox.
func inWorker(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "worker", "sharedworker":
		return true
	}
	return false
}

// inert reports whether browsers show a body with the declared type without running a script in it, or don't show it at
// all. If no type or several types are declared, browsers guess.
func inert(declared []string) bool {
	if len(declared) != 1 || strings.Contains(declared[0], ",") {
		return false
	}
	kind, _, err := mime.ParseMediaType(declared[0])
	if err != nil || strings.HasSuffix(kind, "+xml") {
		return false
	}
	switch kind {
	case "text/plain", "text/css", "text/javascript", "text/csv", "application/javascript", "application/x-javascript",
		"application/json", "application/pdf", "application/octet-stream", "application/wasm":
		return true
	}
	top, _, _ := strings.Cut(kind, "/")
	return top == "image" || top == "audio" || top == "video" || top == "font"
}
