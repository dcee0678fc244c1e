// Package robots answers what a crawler may ask for by the Robots Exclusion Protocol (RFC 9309).
package robots

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/temoto/robotstxt"
)

const (
	maxHops = 5              // redirects that are followed (RFC 9309 §2.3.1.2)
	maxBody = 512 << 10      // bytes that are read (§2.5 wants at least 500 KiB)
	keep    = 24 * time.Hour // how long rules count (§2.4)
	hosts   = 4096           // whose rules are kept
)

// A File is the answer to a request for a robots.txt.
type File struct {
	Status   int    // 0 if there was no answer
	Location string // of a redirect
	Body     []byte
}

// A Fetch asks for a robots.txt; most is how many bytes of its body count. It returns a File with status 0 if the host can't be
// reached, and an error only if asking has to end.
type Fetch func(ctx context.Context, url string, most int64) (File, error)

// A Cache has the rules of hosts for one crawler. It is safe for concurrent use.
type Cache struct {
	agent string
	from  string // URL of the one file that counts; "" for each host's own
	again time.Duration
	fetch Fetch

	mu    sync.Mutex
	rules *lru.Cache[string, *entry]
}

// An entry is made by who asks first; others wait for it.
type entry struct {
	mu    sync.Mutex
	until time.Time
	rules Rules
}

// Rules are what a host asks of the crawler.
type Rules struct {
	group   *robotstxt.Group // nil if everything is allowed
	nothing bool             // may be asked for
	// Unreachable says that there was no answer, or that of a server in trouble, so nothing may be asked for now.
	Unreachable bool
	Delay       time.Duration // Crawl-delay
	Sitemaps    []string      // addresses
}

// NewCache returns a cache for a crawler, whose name is a product token such as "varve" (RFC 9309 §2.2.1). from is the URL of a
// robots.txt that counts for all hosts, "" if each has its own. One
// that can't be reached is asked for again after some time.
func NewCache(agent, from string, again time.Duration, fetch Fetch) *Cache {
	rules, err := lru.New[string, *entry](hosts)
	if err != nil { // only for a size that isn't positive
		panic(err)
	}
	return &Cache{agent: agent, from: from, again: again, fetch: fetch, rules: rules}
}

// For returns the rules for a URL. The first call for a host asks for them.
func (c *Cache) For(ctx context.Context, u *url.URL, now time.Time) (Rules, error) {
	at := c.from
	if at == "" {
		at = u.Scheme + "://" + u.Host + "/robots.txt"
	}
	e := c.entry(at)
	e.mu.Lock()
	defer e.mu.Unlock()
	if now.Before(e.until) {
		return e.rules, nil
	}
	f, err := c.read(ctx, at)
	if err != nil {
		return Rules{}, err
	}
	e.rules, e.until = c.parse(f), now.Add(keep)
	if e.rules.Unreachable {
		e.until = now.Add(c.again)
	}
	return e.rules, nil
}

func (c *Cache) entry(at string) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.rules.Get(at)
	if !ok {
		e = &entry{}
		c.rules.Add(at, e)
	}
	return e
}

// read asks for a file and follows its redirects.
func (c *Cache) read(ctx context.Context, at string) (f File, err error) {
	for range maxHops + 1 {
		if f, err = c.fetch(ctx, at, maxBody); err != nil || f.Status < 300 || f.Status > 399 {
			return f, err
		}
		base, err := url.Parse(at)
		if err != nil {
			return File{Status: http.StatusNotFound}, nil
		}
		next, err := base.Parse(f.Location)
		if err != nil || f.Location == "" {
			return File{Status: http.StatusNotFound}, nil
		}
		at = next.String()
	}
	return File{Status: http.StatusNotFound}, nil // too many: as if there were none (RFC 9309 §2.3.1.2)
}

// parse reads a file. One that is unavailable (4xx) allows everything, one that can't be reached (5xx, no answer) nothing
// (RFC 9309 §2.3.1.3, §2.3.1.4).
func (c *Cache) parse(f File) Rules {
	switch {
	case f.Status == 0 || f.Status >= 500:
		return Rules{nothing: true, Unreachable: true}
	case f.Status < 200 || f.Status > 299:
		return Rules{}
	}
	data, err := robotstxt.FromBytes(readable(f.Body[:min(len(f.Body), maxBody)]))
	if err != nil {
		return Rules{nothing: true} // it asks for something that can't be read
	}
	group := data.FindGroup(c.agent)
	return Rules{group: group, Delay: max(group.CrawlDelay, 0), Sitemaps: data.Sitemaps}
}

// readable returns the lines of a file that mean something (RFC 9309 §2.2): the library gives up a file for one that doesn't.
func readable(body []byte) (lines []byte) {
	ofGroup := false
	for line := range bytes.Lines(bytes.ReplaceAll(body, []byte("\r"), []byte("\n"))) {
		rule, _, _ := bytes.Cut(line, []byte("#"))
		name, value, _ := bytes.Cut(rule, []byte(":"))
		name = bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(name, []byte("\xef\xbb\xbf"))))
		value = bytes.TrimSpace(value)
		keep := false
		switch string(name) {
		case "user-agent":
			keep, ofGroup = true, true
		case "sitemap":
			keep = true
		case "allow", "disallow":
			keep = ofGroup
		case "crawl-delay":
			delay, err := strconv.ParseFloat(string(value), 64)
			keep = ofGroup && err == nil && delay >= 0 && !math.IsInf(delay, 0)
		}
		if keep {
			lines = fmt.Appendf(lines, "%s: %s\n", name, value)
		}
	}
	return lines
}

// Allow reports whether a URL may be asked for. robots.txt itself always may (RFC 9309 §2.2.2).
func (r Rules) Allow(u *url.URL) bool {
	path := u.EscapedPath()
	switch {
	case path == "/robots.txt":
		return true
	case r.nothing:
		return false
	case r.group == nil:
		return true
	case path == "":
		path = "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return r.group.Test(path)
}
