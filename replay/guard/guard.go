// Package guard decides who may do more than read: hand in files, steer a crawl. They may if the server is for its own machine, or
// whoever runs it wants it, and if they ask on one of varve's own pages, or with no browser at all.
package guard

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/varve-archive/varve/replay/respond"
)

// tokenHeader carries the token of a request that isn't a form's. No other site's script can send it: a browser would ask
// first, and the server permits no such header.
const tokenHeader = "X-Varve-Token"

// A Matter is what a guard is about, in words for sentences.
type Matter struct {
	Not  string // what the server doesn't do: "takes no files"
	Flag string // with which it does: "--uploads"
	Do   string // what somebody would do: "hand in files"
}

// Closed is the error of a server that doesn't do it at all.
func (m Matter) Closed() error {
	return forbidden("this server %s: that takes %s, or a server that is for its own machine only", m.Not, m.Flag)
}

// A Key makes the tokens of a server's pages. Those that it serves on other sites and to other groups share it.
type Key string

// NewKey returns a random key.
func NewKey() Key { return Key(rand.Text()) }

// A Guard guards one matter on one site.
type Guard struct {
	Matter
	Asked bool // whoever runs the server wants it; else it is done because the server is for its machine only

	site   *respond.Site
	secret string
}

// New returns a guard for a site. Its token is another one than those of other matters.
func New(site *respond.Site, m Matter, asked bool, key Key) *Guard {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(m.Do))
	return &Guard{Matter: m, Asked: asked, site: site, secret: hex.EncodeToString(mac.Sum(nil))}
}

func forbidden(format string, args ...any) error {
	return &respond.Failure{Status: http.StatusForbidden, Say: fmt.Sprintf(format, args...)}
}

// Open reports as an error why nobody may at the address at which the server was reached.
func (g *Guard) Open(r *http.Request) error {
	switch {
	case g.site.Away():
		return forbidden("this server %s at this address", g.Not)
	case !g.Asked && forwarded(r.Header):
		return forbidden("this server %s through another server unless it is started with %s", g.Not, g.Flag)
	case g.site.PublicURL == "" && !respond.IsSafeFromRebinding(r.Host):
		return forbidden("under the name %.100q anybody's pages could %s: use the server's IP address or localhost, "+
			"or start it with --public-url", r.Host, g.Do)
	}
	return nil
}

// forwarded reports whether a request came through a server in front.
func forwarded(h http.Header) bool {
	names := []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip"}
	return slices.ContainsFunc(names, func(name string) bool { return h.Get(name) != "" })
}

// Mine returns an error unless a request comes from one of varve's own pages, or from no browser at all. token is that of a form;
// another request has it in a header.
//
// An archived page's script is on varve's own origin, so neither Origin nor Referer tells it from varve's pages. Its policy
// lets it neither ask for /-/ nor send a form there. If it gets around that it lacks the token, which only the
// document of a window has (see [Guard.Token]), and an archived page gets hold of no window with one of varve's pages.
// Clients that are no browsers name neither Origin nor Sec-Fetch-Site nor Referer; browsers always name one.
func (g *Guard) Mine(r *http.Request, token string) error {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	if origin == "" && site == "" && r.Header.Get("Referer") == "" {
		return nil
	}
	if origin != originOf(g.site.Base(r)) || site != "" && site != "same-origin" {
		return forbidden("only this server's own pages can %s", g.Do)
	}
	if token == "" {
		token = r.Header.Get(tokenHeader)
	}
	if subtle.ConstantTimeCompare([]byte(token), []byte(g.secret)) != 1 {
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

// Token returns what a page needs so that it may, "" if it must not have it. Archived pages on the same origin may read
// any answer that is no window's document, by fetch or in a frame. They get hold of no window with one of varve's pages,
// because of Cross-Origin-Opener-Policy, where browsers heed that: on https and loopback, and only there they say what a
// request is for.
func (g *Guard) Token(r *http.Request) string {
	if g.site.ReplayURL != "" || r.Header.Get("Sec-Fetch-Dest") == "document" && r.Header.Get("Sec-Fetch-Mode") == "navigate" {
		return g.secret
	}
	return ""
}
