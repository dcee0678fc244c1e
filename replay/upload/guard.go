package upload

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/replay/web"
)

// tokenHeader carries the token of a request that isn't a form's. No other site's script can send it: a browser would ask
// first, and the server permits no such header.
const tokenHeader = "X-Varve-Token"

func forbidden(format string, args ...any) error {
	return &web.Failure{Status: http.StatusForbidden, Say: fmt.Sprintf(format, args...)}
}

// open reports as an error why nothing can be handed in at the address at which the server was reached.
func (h *Handler) open(r *http.Request) error {
	switch {
	case h == nil:
		return forbidden("this server takes no files: that takes --uploads, or a server that is for its own machine only")
	case h.site.Away():
		return forbidden("no files are taken at this address")
	case !h.Asked && forwarded(r.Header):
		return forbidden("this server takes no files through another server unless it is started with --uploads")
	case h.site.PublicURL == "" && !unmistakable(r.Host):
		return forbidden("under the name %.100q anybody's pages could hand in files: use the server's IP address or localhost, "+
			"or start it with --public-url", r.Host)
	}
	return nil
}

// forwarded reports whether a request came through a server in front.
func forwarded(h http.Header) bool {
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip"} {
		if h.Get(name) != "" {
			return true
		}
	}
	return false
}

// unmistakable reports whether a host can't be a name that somebody else has made to point here (DNS rebinding): an IP
// address, or localhost (RFC 6761 §6.3).
func unmistakable(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// mine returns an error unless a request to hand in files comes from one of varve's own pages, or from no browser at all.
//
// An archived page's script is on varve's own origin, so neither Origin nor Referer tells it from varve's pages. Its policy
// lets it neither ask for this path nor send a form here. If it gets around that it lacks the token, which only the
// document of a window has (see [Handler.token]), and an archived page gets hold of no window with one of varve's pages.
// Clients that are no browsers name neither Origin nor Sec-Fetch-Site nor Referer; browsers always name one.
func (h *Handler) mine(r *http.Request, token string) error {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	if origin == "" && site == "" && r.Header.Get("Referer") == "" {
		return nil
	}
	if origin != originOf(h.site.Base(r)) || site != "" && site != "same-origin" {
		return forbidden("files can be handed in on this server's own pages only")
	}
	if subtle.ConstantTimeCompare([]byte(token), []byte(h.secret)) != 1 {
		return forbidden("this page is too old, or isn't one of this server's own: load it again")
	}
	return nil
}

func originOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// token returns what a page needs to hand in files, "" if it must not have it. Archived pages on the same origin may read
// any answer that is no window's document, by fetch or in a frame. They get hold of no window with one of varve's pages,
// because of Cross-Origin-Opener-Policy, where browsers heed that: on https and loopback, and only there they say what a
// request is for.
func (h *Handler) token(r *http.Request) string {
	if h.site.ReplayURL != "" || r.Header.Get("Sec-Fetch-Dest") == "document" && r.Header.Get("Sec-Fetch-Mode") == "navigate" {
		return h.secret
	}
	return ""
}
