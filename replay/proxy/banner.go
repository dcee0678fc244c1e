package proxy

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/static"
)

// isWatched reports whether varve inserts scripts into an answer if it is a page: pages with a banner, and pages in frames.
func (p *Proxy) isWatched(req *request) bool {
	return p.Banner && req.r.Header.Get("Range") == "" && (forReader(req.r) || respond.InFrame(req.r))
}

// decidesBanner names the headers that [forReader] reads.
var decidesBanner = []string{"X-Requested-With", "Sec-Fetch-Dest", "Upgrade-Insecure-Requests", "Referer", "Origin"}

// forReader reports whether a person reads the answer, as opposed to a frame, a part of a page or a script. On plain
// HTTP browsers don't say what a request is for. There, Upgrade-Insecure-Requests marks a navigation, and a Referer
// marks a request of a page.
func forReader(r *http.Request) bool {
	switch {
	case r.Header.Get("X-Requested-With") != "":
		return false
	case r.Header.Get("Sec-Fetch-Dest") != "":
		return r.Header.Get("Sec-Fetch-Dest") == "document"
	case r.Header.Get("Upgrade-Insecure-Requests") == "1":
		return true
	}
	return r.Header.Get("Referer") == "" && r.Header.Get("Origin") == ""
}

// pageKey returns the cache key of a page with its banner: everything it depends on except the generation of the
// index.
func (p *Proxy) pageKey(req *request, c *cdx.Capture) string {
	lang := locale.Choose(req.r.Header.Get("Accept-Language"))
	return strings.Join([]string{
		"proxy", req.r.Method, req.coll, c.FileName, etag(c, true), req.uriR, lang,
		req.r.Header.Get("Origin"), req.r.Header.Get("Sec-Fetch-Dest"),
	}, " ")
}

// redirectToLanding sends a reader who opens a captured redirect to its landing page, and reports whether it did. The
// landing page forwards readers whose cookie says that they want no landing pages.
func (p *Proxy) redirectToLanding(req *request, tl *timeline.Timeline, c *cdx.Capture) bool {
	if !p.Banner || req.r.Method != http.MethodGet && req.r.Method != http.MethodHead || !timeline.LeadsElsewhere(tl, c) {
		return false
	}
	respond.VaryLanding(req.w.Header())
	if !respond.IsNavigation(req.r) {
		return false
	}
	respond.Vary(req.w.Header(), "accept-datetime")
	where := url.Values{"url": {c.URL}, "at": {c.Time.String()}, skipLandingParam: {"1"}}
	respond.Redirect(req.w, memento.URIs{Base: req.scheme + "://" + proxyHost, Coll: req.coll}.Endpoint("landing", where.Encode()))
	return true
}

// banner renders the banner of a page, for a body and for a frameset. Its links lead to varve.proxy, which sets the client's datetime and
// redirects to the URI-R. If the banner can't be rendered, banner returns nil and the page goes without it.
func (p *Proxy) banner(req *request, m *reply, cutOff bool) (inBody, inFrameset []byte) {
	if respond.InFrame(req.r) {
		return nil, nil
	}
	c, home := m.response.Capture, req.scheme+"://"+proxyHost
	site := p.sites[req.scheme]
	assets := site.Site().Assets()
	render := site.Banner(req.r, &respond.BannerRequest{
		Original: p.Archive.Timelines.Of(m.timeline), Capture: c, Near: m.near, Home: home + "/", Assets: assets,
		Pages:   memento.URIs{Base: home, Coll: req.coll},
		Moves:   memento.URIs{Base: home + signedPrefix + p.sign(req.coll, surt.Of(c.URL)), Coll: req.coll},
		Memento: memento.URIs{Base: p.ServerURL, Coll: req.coll}.Memento(c.Time, "", c.URL), Source: m.response.SourceHost(), CutOff: cutOff,
	})
	if render == nil {
		return nil, nil
	}
	b := render(banner.Embeds{})
	return respond.Toolbar(b), respond.Toolbar(respond.InFrameset(b, assets.BannerScript, assets.FramesetScript))
}

// scripts returns the scripts that come first in a page, whether it fills the window or a frame: they remove WebRTC and provide the
// stand-in for service workers.
func scripts(req *request) []byte {
	home := req.scheme + "://" + proxyHost
	out := []byte(`<script src="` + html.EscapeString(home+static.URL("packets.js")) + `"></script>`)
	return respond.Toolbar(append(out, respond.ServiceWorkers(home)...))
}

// signedPrefix precedes the signature in the banner's links.
const signedPrefix = "/-/go/"

// sign returns a signature which proves that the banner of a URI-R made a link to another capture of the same URI-R.
// Scripts of that page can read it, so it is valid for that URI-R only.
func (p *Proxy) sign(coll, key string) string {
	mac := hmac.New(sha256.New, p.secret)
	mac.Write([]byte(coll + "\x00" + key))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// signed reports whether signature is the one for this URI-R.
func (p *Proxy) signed(signature, coll, key string) bool {
	return hmac.Equal([]byte(signature), []byte(p.sign(coll, key)))
}
