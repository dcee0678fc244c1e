package respond

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/varve-archive/varve/banner"
)

// goCookie names the cookie with the hosts whose redirects a reader follows without being asked, joined by "|", or "*" for all. The
// landing page's script sets it for one collection, the banner's removes it.
const goCookie = "varve-go"

// VaryLanding adds to Vary the headers that [IsNavigation] and the reader's choice depend on.
func VaryLanding(h http.Header) {
	VaryNavigation(h)
	Vary(h, "Cookie")
}

// VaryNavigation adds to Vary the headers that [IsNavigation] depends on.
func VaryNavigation(h http.Header) {
	Vary(h, "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Upgrade-Insecure-Requests", "Accept")
}

// IsNavigation reports whether a browser requests what will fill its window. It uses Fetch Metadata, or
// Upgrade-Insecure-Requests if there are none, as on plain HTTP beyond loopback.
func IsNavigation(r *http.Request) bool {
	mode, dest := r.Header.Get("Sec-Fetch-Mode"), r.Header.Get("Sec-Fetch-Dest")
	if mode != "" || dest != "" || r.Header.Get("Sec-Fetch-Site") != "" {
		return mode == "navigate" && dest == "document"
	}
	return r.Header.Get("Upgrade-Insecure-Requests") == "1" && IsBrowser(r)
}

// InFrame reports whether a browser requests what fills a frame. Browsers say so on https and loopback.
func InFrame(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "iframe", "frame", "embed", "object":
		return true
	}
	return false
}

// IsTopLevel reports whether a browser requests what may fill a window: it says so, or does not say what the request
// is for and asks as for a page. Browsers that don't distinguish frames from windows do so for both.
func IsTopLevel(r *http.Request) bool {
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest != "" {
		return dest == "document"
	}
	return IsNavigation(r)
}

// SkipsLanding reports whether the reader chose to follow the redirects of a site without being asked.
func SkipsLanding(r *http.Request, site string) bool {
	c, err := r.Cookie(goCookie)
	if err != nil {
		return false
	}
	sites := strings.Split(c.Value, "|")
	return slices.Contains(sites, "*") || site != "" && slices.Contains(sites, site)
}

// SiteOf returns the host of a URI-R in the form for a cookie, or "".
func SiteOf(uriR string) string {
	u, err := whatwg.Parse(uriR)
	if err != nil {
		return ""
	}
	return url.QueryEscape(u.Hostname())
}

// FromLanding returns the landing page of the collection that a request comes from, by its Referer.
func (s *Site) FromLanding(r *http.Request, coll string) (*banner.Link, Path) {
	rest, ok := strings.CutPrefix(r.Header.Get("Referer"), s.Base(r)+"/")
	if !ok {
		return nil, Path{}
	}
	p := ParsePath("/" + rest)
	if p.Kind != Landing || p.Coll != coll || p.URIR == "" {
		return nil, p
	}
	return &banner.Link{Href: s.Path() + "/" + rest, Text: p.URIR}, p
}
