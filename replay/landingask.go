package replay

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/change"
)

// goCookie holds for which sites a reader wants to follow redirects unasked: their hosts, joined by "|", or
// "*" for all. The landing page's script writes it for one collection, the banner's takes it back.
const goCookie = "varve-go"

// decidesLanding names what the answer to a captured redirect depends on.
var decidesLanding = []string{"Sec-Fetch-Mode", "Sec-Fetch-Dest", "Upgrade-Insecure-Requests", "Accept", "Cookie"}

// toLanding sends a reader who comes upon a captured redirect to its landing page, and says whether it did. Everyone
// else, and who does not want to be asked, gets the captured answer.
func (s *Server) toLanding(w http.ResponseWriter, r *http.Request, p Path, tl *timeline, c *cdx.Capture) bool {
	if p.Mod != "" || preferred(r) != "" || r.Method != http.MethodGet && r.Method != http.MethodHead || !leadsElsewhere(tl, c) {
		return false
	}
	vary(w.Header(), decidesLanding...)
	if !isNavigation(r) || goesUnasked(r, siteOf(c.URL)) {
		return false
	}
	allowOrigins(w.Header())
	redirect(w, s.absolute(r, p.Coll).Landing(c.Time, c.URL))
	return true
}

// leadsElsewhere reports whether a redirect leads to another resource; one that leads to the URI-R itself
// counts where there is nothing else of it to show.
func leadsElsewhere(tl *timeline, c *cdx.Capture) bool {
	if !isRedirect(c) || c.Redirect == "" {
		return false
	}
	return !toItself(c) || !slices.ContainsFunc(tl.captures, func(o cdx.Capture) bool { return usable(&o) })
}

// isNavigation reports whether a browser asks for what is to fill its window (Fetch Metadata; without it, as on plain
// HTTP beyond loopback, Upgrade-Insecure-Requests gives the navigation away).
func isNavigation(r *http.Request) bool {
	mode, dest := r.Header.Get("Sec-Fetch-Mode"), r.Header.Get("Sec-Fetch-Dest")
	if mode != "" || dest != "" || r.Header.Get("Sec-Fetch-Site") != "" {
		return mode == "navigate" && dest == "document"
	}
	return r.Header.Get("Upgrade-Insecure-Requests") == "1" && isBrowser(r)
}

// goesUnasked reads the reader's choice.
func goesUnasked(r *http.Request, site string) bool {
	c, err := r.Cookie(goCookie)
	if err != nil {
		return false
	}
	sites := strings.Split(c.Value, "|")
	return slices.Contains(sites, "*") || site != "" && slices.Contains(sites, site)
}

// siteOf is the host of a URI-R as a cookie can hold it, "" if it has none.
func siteOf(uriR string) string {
	u, err := whatwg.Parse(uriR)
	if err != nil {
		return ""
	}
	return url.QueryEscape(u.Hostname())
}

// cameFrom links the landing page that the reader left for this page, nil if there is none.
func (m *answer) cameFrom() *banner.Link {
	link, p := m.s.fromLanding(m.r, m.p.Coll)
	if link == nil || surt.Of(p.URIR) == m.tl.key {
		return nil
	}
	vary(m.w.Header(), "Referer")
	return link
}

// fromLanding reads off the Referer whether a request comes from a landing page of the collection, and from which.
func (s *Server) fromLanding(r *http.Request, coll string) (*banner.Link, Path) {
	rest, ok := strings.CutPrefix(r.Header.Get("Referer"), s.base(r)+"/")
	if !ok {
		return nil, Path{}
	}
	p := ParsePath("/" + rest)
	if p.Kind != Landing || p.Coll != coll || p.URIR == "" {
		return nil, p
	}
	return &banner.Link{Href: s.path() + "/" + rest, Text: p.URIR}, p
}

// landingOf is the landing page of a capture that shows no page, "" for others.
func (m *answer) landingOf(ranges []change.Range, i int) string {
	c := m.a.capture
	if kind, _ := kindAt(c, ranges, i); kind != change.Missing && kind != change.Redirect {
		return ""
	}
	return m.s.local(m.p.Coll).Landing(c.Time, c.URL)
}
