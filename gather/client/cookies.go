package client

import (
	"net/http"
	"net/http/cookiejar"
	neturl "net/url"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/net/publicsuffix"
)

// Limits of cookies.
const (
	maxCookieSites = 1000 // sites with cookies, the most recently used
	maxCookies     = 50   // of a site
	maxCookie      = 4096 // bytes of name and value, as in browsers (RFC 6265 §6.1)
)

// Cookies are those that sites set. Some sites redirect to themselves for ever if a client doesn't return them. They are safe for
// concurrent use.
type Cookies struct {
	mu    sync.Mutex
	sites *lru.Cache[string, *siteCookies]
}

type siteCookies struct {
	jar   *cookiejar.Jar
	named map[string]bool // by domain, path and name
}

// NewCookies returns a Cookies without any.
func NewCookies() *Cookies {
	sites, _ := lru.New[string, *siteCookies](maxCookieSites) // fails for no size above 0
	return &Cookies{sites: sites}
}

// siteOf returns the registrable domain of a host, or the host itself.
func siteOf(u *neturl.URL) string {
	if site, err := publicsuffix.EffectiveTLDPlusOne(u.Hostname()); err == nil {
		return site
	}
	return u.Hostname()
}

// Header returns the Cookie field for an address, or nil.
func (c *Cookies) Header(address string) http.Header {
	u, err := neturl.Parse(address)
	if err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	of, ok := c.sites.Get(siteOf(u))
	if !ok {
		return nil
	}
	r := http.Request{Header: http.Header{}}
	for _, cookie := range of.jar.Cookies(u) {
		r.AddCookie(cookie)
	}
	return r.Header
}

// Set stores the cookies of an answer. It leaves out those beyond the limits.
func (c *Cookies) Set(address string, h http.Header) {
	given := (&http.Response{Header: h}).Cookies()
	u, err := neturl.Parse(address)
	if len(given) == 0 || err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	of, ok := c.sites.Get(siteOf(u))
	if !ok {
		jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // never fails
		of = &siteCookies{jar, map[string]bool{}}
		c.sites.Add(siteOf(u), of)
	}
	var taken []*http.Cookie
	for _, one := range given {
		name := one.Domain + "\n" + one.Path + "\n" + one.Name
		if len(one.Name)+len(one.Value) > maxCookie || !of.named[name] && len(of.named) == maxCookies {
			continue
		}
		of.named[name] = true
		taken = append(taken, one)
	}
	of.jar.SetCookies(u, taken)
}
