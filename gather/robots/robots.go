// Package robots answers what a crawler may ask for by the Robots Exclusion Protocol (RFC 9309).
package robots

import (
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
	maxHops = 5               // redirects that are followed (RFC 9309 §2.3.1.2)
	maxBody = 512 << 10       // bytes that are read (§2.5 wants at least 500 KiB)
	keep    = 24 * time.Hour  // how long rules count (§2.4)
	hosts   = 4096            // whose rules are kept
	tries   = 3               // of a file that can't be reached, one soon after the other
	rest    = 5 * time.Minute // until a host that didn't answer so often is tried again
)

// A File is the answer to a request for a robots.txt.
type File struct {
	Status   int    // 0 if there was no answer
	Location string // of a redirect
	Body     []byte
	Err      error // why there was no answer
	Late     bool  // there was none in time
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
	tried int // times in a row without an answer
}

// Rules are what a host asks of the crawler.
type Rules struct {
	list    []rule
	nothing bool // may be asked for
	// Unreachable is why there was no answer, or what a server in trouble said: nothing may be asked for. It is nil if there was one.
	Unreachable error
	// Again is how long to wait before the file is tried once more; 0 if it isn't, for a while.
	Again    time.Duration
	Delay    time.Duration // Crawl-delay
	Sitemaps []string      // addresses
}

// NewCache returns a cache for a crawler, whose name is a product token such as "varve" (RFC 9309 §2.2.1). from is the URL of a
// robots.txt that counts for all hosts, "" if each has its own. One
// that can't be reached is tried a few times: first after some time, then after twice that. One that takes too long is not.
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
	if e.rules.Unreachable == nil {
		e.tried = 0
		return e.rules, nil
	}
	if e.tried++; e.tried >= tries || f.Late {
		e.tried, e.until = 0, now.Add(rest)
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
	case f.Status == 0 && f.Err == nil:
		return Rules{nothing: true, Unreachable: errors.New("robots.txt: no answer")}
	case f.Status == 0:
		return Rules{nothing: true, Unreachable: fmt.Errorf("robots.txt: %w", f.Err)}
	case f.Status >= 500:
		return Rules{nothing: true, Unreachable: fmt.Errorf("robots.txt: status %d", f.Status)}
	case f.Status < 200 || f.Status > 299:
		return Rules{}
	}
	return read(f.Body[:min(len(f.Body), maxBody)], c.agent)
}
