package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/varve-archive/varve/banner"
)

// goCookie holds for which sites a reader wants to follow redirects unasked: their hosts, joined by "|", or
// "*" for all. The landing page's script writes it for one collection, the banner's takes it back.
const goCookie = "varve-go"

// DecidesLanding names what the answer to a captured redirect depends on.
var DecidesLanding = []string{"Sec-Fetch-Mode", "Sec-Fetch-Dest", "Upgrade-Insecure-Requests", "Accept", "Cookie"}

// IsNavigation reports whether a browser asks for what is to fill its window (Fetch Metadata; without it, as on plain
// HTTP beyond loopback, Upgrade-Insecure-Requests gives the navigation away).
func IsNavigation(r *http.Request) bool {
	mode, dest := r.Header.Get("Sec-Fetch-Mode"), r.Header.Get("Sec-Fetch-Dest")
	if mode != "" || dest != "" || r.Header.Get("Sec-Fetch-Site") != "" {
		return mode == "navigate" && dest == "document"
	}
	return r.Header.Get("Upgrade-Insecure-Requests") == "1" && IsBrowser(r)
}

// GoesUnasked reads the reader's choice.
func GoesUnasked(r *http.Request, site string) bool {
	c, err := r.Cookie(goCookie)
	if err != nil {
		return false
	}
	sites := strings.Split(c.Value, "|")
	return slices.Contains(sites, "*") || site != "" && slices.Contains(sites, site)
}

// SiteOf is the host of a URI-R as a cookie can hold it, "" if it has none.
func SiteOf(uriR string) string {
	u, err := whatwg.Parse(uriR)
	if err != nil {
		return ""
	}
	return url.QueryEscape(u.Hostname())
}

// FromLanding reads off the Referer whether a request comes from a landing page of the collection, and from which.
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
