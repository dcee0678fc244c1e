package proxy

import (
	"encoding/base64"
	"net"
	"net/http"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
)

// An identity tells clients apart: by proxy credentials if there are any, else by address. The user name of the
// credentials is a collection. The password is any word of the client's choice, so that clients behind one address
// can be told apart.
type identity struct {
	key  string
	coll string // the collection in the credentials; "" if there is none
}

// identify reads the identity from a request to the proxy itself, outside a tunnel.
func identify(r *http.Request) identity {
	addr, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		addr = r.RemoteAddr
	}
	user, session, ok := proxyCredentials(r)
	switch {
	case !ok:
		return identity{key: addr}
	case session == "":
		return identity{key: addr + "\x00" + user, coll: user}
	}
	return identity{key: "\x00" + user + "\x00" + session, coll: user}
}

// maxCredentials bounds the length of the credentials that are kept.
const maxCredentials = 256

// proxyCredentials reads Proxy-Authorization (RFC 7617 §2).
func proxyCredentials(r *http.Request) (user, password string, ok bool) {
	scheme, coded, ok := strings.Cut(r.Header.Get("Proxy-Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Basic") || len(coded) > maxCredentials {
		return "", "", false
	}
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(coded))
	if err != nil {
		return "", "", false
	}
	user, password, _ = strings.Cut(string(b), ":")
	return user, password, user != ""
}

// A choice is what a client chose at varve.proxy. Zero values mean that it chose nothing.
type choice struct {
	coll     string
	datetime cdx.Timestamp
}

// maxClients bounds the number of clients with a choice. The least recently active one loses its choice.
const maxClients = 10_000

// clients keeps the choices of clients as long as the proxy runs.
type clients struct {
	mu   sync.Mutex
	kept *lru.Cache[string, choice]
}

func newClients() *clients {
	kept, _ := lru.New[string, choice](maxClients)
	return &clients{kept: kept}
}

// choiceOf returns what a client chose. The collection of its credentials wins.
func (c *clients) choiceOf(id identity) choice {
	chosen, _ := c.kept.Get(id.key)
	if id.coll != "" {
		chosen.coll = id.coll
	}
	return chosen
}

// choose stores a choice. An empty collection keeps the one chosen before.
func (c *clients) choose(id identity, chosen choice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if chosen.coll == "" {
		before, _ := c.kept.Peek(id.key)
		chosen.coll = before.coll
	}
	c.kept.Add(id.key, chosen)
}

// maxSeen bounds how many pages are remembered, about 200 bytes each.
const maxSeen = 20_000

// rememberPage stores the datetime for the resources of a body: its own datetime if it fills a window, else that of the window.
func (p *Proxy) rememberPage(req *request, c *cdx.Capture) {
	if respond.IsTopLevel(req.r) {
		p.remember(req.id, req.uriR, c.Time, true)
	} else {
		p.remember(req.id, req.uriR, req.datetime, false)
	}
}

// remember stores the datetime for everything that uriR refers to. The last page of an origin also stands for the
// whole origin, because browsers tell other origins no more than that (Referrer Policy,
// "strict-origin-when-cross-origin").
func (p *Proxy) remember(id identity, uriR string, ts cdx.Timestamp, page bool) {
	if len(uriR) > maxReferer {
		return
	}
	p.seen.Add(id.key+"\x00"+uriR, ts)
	if page {
		p.seen.Add(id.key+"\x00"+originOf(uriR), ts)
	}
}

// recall returns the datetime remembered for a referring page, 0 if it is unknown.
func (p *Proxy) recall(id identity, referer string) cdx.Timestamp {
	if len(referer) > maxReferer {
		return 0
	}
	if ts, ok := p.seen.Get(id.key + "\x00" + referer); ok {
		return ts
	}
	ts, _ := p.seen.Get(id.key + "\x00" + originOf(referer))
	return ts
}

// maxReferer is the length above which browsers send only the origin.
const maxReferer = 4096

// originOf returns the origin of a URI-R as browsers write it into Referer: "http://host/".
func originOf(uriR string) string {
	i := strings.Index(uriR, "://")
	if i < 0 {
		return uriR
	}
	if j := strings.IndexAny(uriR[i+3:], "/?"); j >= 0 {
		return uriR[:i+3+j] + "/"
	}
	return uriR + "/"
}
