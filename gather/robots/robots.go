// Package robots implements the Robots Exclusion Protocol (RFC 9309) for a crawler.
package robots

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	maxHops    = 5               // redirects that are followed (RFC 9309 §2.3.1.2)
	maxBody    = 512 << 10       // bytes that are read (§2.5 wants at least 500 KiB)
	lifetime   = 24 * time.Hour  // lifetime of rules (§2.4)
	maxHosts   = 4096            // number of hosts in the cache
	maxTries   = 3               // attempts in a row for an unreachable file
	retryPause = 5 * time.Minute // pause after these attempts
)

// A File is the answer to a request for a robots.txt.
type File struct {
	Status   int    // 0 if there was no answer
	Location string // of a redirect
	Body     []byte
	Err      error // why there was no answer
	Late     bool  // there was none within the time limit
}

// A Fetch requests a robots.txt; most bounds its body in bytes. It returns a File with status 0 if the host can't be reached, and
// an error only if the caller must stop.
type Fetch func(ctx context.Context, url string, most int64) (File, error)

// A Cache has the rules of hosts for one crawler. It is safe for concurrent use.
type Cache struct {
	agent string
	from  string // URL of one file for all hosts; "" for each host's own
	again time.Duration
	fetch Fetch

	mu    sync.Mutex
	rules *lru.Cache[string, *entry]
}

// An entry is filled by the first caller; others wait for it.
type entry struct {
	mu    sync.Mutex
	until time.Time
	rules Rules
	tried int // attempts in a row without an answer
}

// Rules are the rules of a host for the crawler.
type Rules struct {
	list    []rule
	nothing bool // may be requested
	// Unreachable is the reason why there was no answer or a server error, so that nothing may be requested. It is nil otherwise.
	Unreachable error
	// Again is the pause before the file is requested again; 0 if the cache has given up for a while.
	Again    time.Duration
	Delay    time.Duration // Crawl-delay
	Sitemaps []string      // addresses
}

// NewCache returns a cache for a crawler, whose name is a product token such as "varve" (RFC 9309 §2.2.1). from is the URL of a
// robots.txt for all hosts, "" if each has its own. An unreachable file is requested a few times, first after the pause again,
// which then doubles. A file that timed out isn't requested again soon.
func NewCache(agent, from string, again time.Duration, fetch Fetch) *Cache {
	rules, err := lru.New[string, *entry](maxHosts)
	if err != nil { // only for a size that isn't positive
		panic(err)
	}
	return &Cache{agent: agent, from: from, again: again, fetch: fetch, rules: rules}
}

// The words for which robots.txt counts. Another setting is the URL of a robots.txt that counts for all hosts.
const (
	Obey   = "obey"
	Ignore = "ignore"
)

// IsSetting reports whether a text is a valid setting.
func IsSetting(text string) bool {
	u, err := url.Parse(text)
	return text == Obey || text == Ignore || err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// By returns the cache of a crawler for a setting, nil if the rules are ignored.
func By(setting, agent string, again time.Duration, fetch Fetch) *Cache {
	switch setting {
	case Ignore:
		return nil
	case Obey:
		setting = ""
	}
	return NewCache(agent, setting, again, fetch)
}

// For returns the rules for a URL. The first call for a host requests them.
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
	e.rules, e.until = c.parse(f), now.Add(lifetime)
	if e.rules.Unreachable == nil {
		e.tried = 0
		return e.rules, nil
	}
	if e.tried++; e.tried >= maxTries || f.Late {
		e.tried, e.until = 0, now.Add(retryPause)
		return e.rules, nil
	}
	e.rules.Again = c.again << (e.tried - 1)
	e.until = now.Add(e.rules.Again)
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

// read requests a file and follows its redirects.
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
	return File{Status: http.StatusNotFound}, nil // as if there were none (RFC 9309 §2.3.1.2)
}

// parse parses a file. An unavailable one (4xx) allows everything, an unreachable one (5xx, no answer) nothing (RFC 9309 §2.3.1.3,
// §2.3.1.4). A server that was asked too often (429) has not said that there is none.
func (c *Cache) parse(f File) Rules {
	switch {
	case f.Status == 0 && f.Err == nil:
		return Rules{nothing: true, Unreachable: errors.New("robots.txt: no answer")}
	case f.Status == 0:
		return Rules{nothing: true, Unreachable: fmt.Errorf("robots.txt: %w", f.Err)}
	case f.Status >= 500, f.Status == http.StatusTooManyRequests:
		return Rules{nothing: true, Unreachable: fmt.Errorf("robots.txt: status %d", f.Status)}
	case f.Status >= 400:
		return Rules{}
	}
	body := f.Body
	if len(body) >= maxBody { // of its last line the end may be missing
		body = body[:max(0, bytes.LastIndexAny(body[:maxBody], "\r\n"))]
	}
	return read(body, c.agent)
}
