package proxy

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner/text"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
)

// wantsBanner reports whether an answer, if it is a page, gets the banner.
func (p *Proxy) wantsBanner(a *ask) bool {
	return p.Banner && a.r.Header.Get("Range") == "" && forReader(a.r)
}

// decidesBanner names what [forReader] looks at.
var decidesBanner = []string{"X-Requested-With", "Sec-Fetch-Dest", "Upgrade-Insecure-Requests", "Referer", "Origin"}

// forReader reports whether an answer is for a reader: not for a frame, nor for what a page loads or its scripts ask
// for. Where a browser doesn't say what a request is for (on plain HTTP), navigations are known by
// Upgrade-Insecure-Requests, and a page's own requests by their Referer.
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

// pageKey is all that a page with its banner depends on besides the generation of the index; "" if it isn't kept.
func (p *Proxy) pageKey(a *ask, c *cdx.Capture) string {
	lang := text.Choose(a.r.Header.Get("Accept-Language"))
	return strings.Join([]string{"proxy", a.r.Method, a.coll, c.FileName, etag(c, true), a.uriR, lang, a.r.Header.Get("Origin"), a.r.Header.Get("Sec-Fetch-Dest")}, " ")
}

// toLanding sends a reader who comes upon a captured redirect to its landing page, and says whether it did. Who does
// not want to be asked is sent on from there, where the cookie is that says so.
func (p *Proxy) toLanding(a *ask, tl *archive.Timeline, c *cdx.Capture) bool {
	if !p.Banner || a.r.Method != http.MethodGet && a.r.Method != http.MethodHead || !archive.LeadsElsewhere(tl, c) {
		return false
	}
	web.Vary(a.w.Header(), web.DecidesLanding...)
	if !web.IsNavigation(a.r) {
		return false
	}
	web.Vary(a.w.Header(), "accept-datetime")
	a.w.Header().Set("Cache-Control", "no-cache")
	where := url.Values{"url": {c.URL}, "at": {c.Time.String()}, unaskedParam: {"1"}}
	web.Redirect(a.w, memento.URIs{Base: a.scheme + "://" + proxyHost, Coll: a.coll}.Endpoint("landing", where.Encode()))
	return true
}

// banner renders the banner of a page, which leads to varve.proxy: that sets the client's datetime and sends back to the
// URI-R. One that can't be made is left out, the page goes first.
func (p *Proxy) banner(a *ask, m *reply) []byte {
	c, home := m.a.Capture, a.scheme+"://"+proxyHost
	site := p.sites[a.scheme]
	render := site.Banner(a.r, &web.BannerAsk{
		Timeline: m.tl, Capture: c, Near: m.n, Home: home + "/", Assets: site.Site().Assets(),
		Pages:   memento.URIs{Base: home, Coll: a.coll},
		Moves:   memento.URIs{Base: home + signedPrefix + p.sign(a.coll, surt.Of(c.URL)), Coll: a.coll},
		Memento: memento.URIs{Base: p.ServerURL, Coll: a.coll}.Memento(c.Time, "", c.URL),
	})
	if render == nil {
		return nil
	}
	b := render(0)
	if a.r.Header.Get("Sec-Fetch-Dest") == "" {
		b = append(b, notInFrames...)
	}
	return b
}

// notInFrames takes the banner out of a frame, where the request did not tell that it was for one.
const notInFrames = `<script>self!==top&&document.querySelector("varve-banner").remove();document.currentScript.remove()</script>`

// signedPrefix stands before the signature in the banner's links.
const signedPrefix = "/-/go/"

// sign makes what shows that the banner of a URI-R made a link to another capture of it. Scripts of that page can read
// it, so it is good for that URI-R alone.
func (p *Proxy) sign(coll, key string) string {
	mac := hmac.New(sha256.New, p.secret)
	mac.Write([]byte(coll + "\x00" + key))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// signed reports whether a link bears the signature for where it leads.
func (p *Proxy) signed(signature, coll, key string) bool {
	return hmac.Equal([]byte(signature), []byte(p.sign(coll, key)))
}
