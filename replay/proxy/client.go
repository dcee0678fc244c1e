package proxy

import (
	"encoding/base64"
	"net"
	"net/http"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/cdx"
)

// An identity says whose request it is: by proxy credentials, of which the user names a collection and the password a
// session of the client's choosing, else by address. Credentials tell clients behind one address apart.
type identity struct {
	key  string
	coll string // named by credentials, "" if none is
}

// identify reads the identity off the request that came to the proxy itself.
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

// maxCredentials bounds what is kept of a client.
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

// A choice is what a client chose at varve.proxy. Zero values: nothing.
type choice struct {
	coll     string
	datetime cdx.Timestamp
}

// maxClients bounds for how many clients a choice is kept; the one that asked least lately loses it.
const maxClients = 10_000

// clients keeps the choices of clients while the proxy runs.
type clients struct {
	mu   sync.Mutex
	kept *lru.Cache[string, choice]
}

func newClients() *clients {
	kept, _ := lru.New[string, choice](maxClients)
	return &clients{kept: kept}
}

func (c *clients) of(id identity) choice {
	made, _ := c.kept.Get(id.key)
	if id.coll != "" {
		made.coll = id.coll
	}
	return made
}

// choose keeps a choice; an empty collection leaves the one chosen before.
func (c *clients) choose(id identity, made choice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if made.coll == "" {
		before, _ := c.kept.Peek(id.key)
		made.coll = before.coll
	}
	c.kept.Add(id.key, made)
}

// maxSeen is how many pages are remembered for what they load, some 200 bytes each.
const maxSeen = 20_000

// remember keeps the datetime at which what uriR refers to is to be shown. An origin stands for its page shown last,
// for that is all a browser tells other origins of a page (Referrer Policy, "strict-origin-when-cross-origin").
func (p *Proxy) remember(id identity, uriR string, ts cdx.Timestamp, page bool) {
	if len(uriR) > maxReferer {
		return
	}
	p.seen.Add(id.key+"\x00"+uriR, ts)
	if page {
		p.seen.Add(id.key+"\x00"+originOf(uriR), ts)
	}
}

// recall returns what was remembered of the page that refers to something, 0 where it isn't known.
func (p *Proxy) recall(id identity, referer string) cdx.Timestamp {
	if referer == "" || len(referer) > maxReferer {
		return 0
	}
	if ts, ok := p.seen.Get(id.key + "\x00" + referer); ok {
		return ts
	}
	ts, _ := p.seen.Get(id.key + "\x00" + originOf(referer))
	return ts
}

// maxReferer is the length from which browsers send an origin alone.
const maxReferer = 4096

// originOf returns "http://host/" of a URI-R, as a browser writes an origin into Referer.
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
