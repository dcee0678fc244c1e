// Package politeness limits how often a crawler asks a host: the requests at a time, and the pause between two of them. The pause
// grows with the response time, and a host may ask for a longer one.
package politeness

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxPause is the longest pause after slow answers or errors, unless the host asks for one.
	maxPause = time.Minute
	// maxAskedPause is the longest pause that a host may ask for.
	maxAskedPause = time.Hour
	// firstBackoff is the pause after the first answer that says "too many requests", if the answer names none.
	firstBackoff = 2 * time.Second
	// maxHosts is the number of hosts that are remembered before idle ones are forgotten.
	maxHosts = 10_000
)

// Config says how often a host is asked.
type Config struct {
	Delay   time.Duration // between two requests; 0 for none except those that a host asks for
	PerHost int           // requests at a time, at least 1
}

// Hosts knows when each host may be asked again. It is safe for concurrent use.
type Hosts struct {
	cfg Config

	mu   sync.Mutex
	of   map[string]*host
	most int // hosts that are remembered before some are forgotten
}

type host struct {
	asking  int
	next    time.Time     // when the next request may begin
	crawl   time.Duration // Crawl-delay of robots.txt
	refused int           // answers in a row that ask for a pause
}

// New returns a Hosts without any history.
func New(cfg Config) *Hosts {
	cfg.PerHost = max(cfg.PerHost, 1)
	return &Hosts{cfg: cfg, of: map[string]*host{}, most: maxHosts}
}

// Take takes a turn at a host, which ends with [Hosts.Done]. If no turn is free, it returns false and the minimum wait; 0 means
// until another turn ends.
func (h *Hosts) Take(name string, now time.Time) (ok bool, wait time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := h.host(name, now)
	if at.asking >= h.cfg.PerHost {
		return false, 0
	}
	if wait := at.next.Sub(now); wait > 0 {
		return false, wait
	}
	at.asking++
	at.next = now.Add(h.cfg.Between(at.crawl)) // in case another turn is taken meanwhile
	return true, 0
}

func (h *Hosts) host(name string, now time.Time) *host {
	if len(h.of) > h.most {
		h.forget(now)
	}
	return h.get(name)
}

func (h *Hosts) get(name string) *host {
	at := h.of[name]
	if at == nil {
		at = &host{}
		h.of[name] = at
	}
	return at
}

// forget drops the hosts without any state.
func (h *Hosts) forget(now time.Time) {
	for name, at := range h.of {
		if at.asking == 0 && at.refused == 0 && at.crawl == 0 && !at.next.After(now) {
			delete(h.of, name)
		}
	}
	h.most = max(maxHosts, 2*len(h.of)) // so that the next pass isn't soon, even if few were dropped
}

// Answer is the outcome of a request to a host.
type Answer struct {
	Took       time.Duration
	Status     int    // 0 if there was no answer
	RetryAfter string // the header field (RFC 9110 §10.2.3)
}

// refuses reports whether an answer asks for a pause.
func (a Answer) refuses() bool {
	return a.Status == http.StatusTooManyRequests || a.Status == http.StatusServiceUnavailable
}

// Done ends a turn, with the zero Answer if nothing was requested. It returns the pause before the next one.
func (h *Hosts) Done(name string, now time.Time, a Answer) (pause time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := h.host(name, now)
	at.asking = max(at.asking-1, 0)
	pause, at.refused = h.cfg.Pause(now, a, at.crawl, at.refused)
	if next := now.Add(pause); next.After(at.next) {
		at.next = next
	}
	return pause
}

// Rest applies the pause that an answer asks for, if its request had no turn.
func (h *Hosts) Rest(name string, now time.Time, a Answer) {
	if !a.refuses() {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	at := h.host(name, now)
	before := at.refused
	if before > 0 && at.next.After(now) { // parts of a page that are refused together count as one
		before--
	}
	var pause time.Duration
	pause, at.refused = h.cfg.Pause(now, a, at.crawl, before)
	if next := now.Add(pause); next.After(at.next) {
		at.next = next
	}
}

// Pause returns the pause after an answer, given the host's Crawl-delay and the number of answers in a row before it that asked for
// a pause. It also returns that number including this answer; where there was none, the number stays.
func (c Config) Pause(now time.Time, a Answer, crawl time.Duration, refused int) (pause time.Duration, refusedNow int) {
	pause = c.Between(crawl)
	if c.Delay > 0 { // a slow host is overloaded
		pause = max(pause, min(a.Took, maxPause))
	}
	switch {
	case a.Status == 0:
		return pause, refused
	case !a.refuses():
		return pause, 0
	}
	return max(pause, asked(a.RetryAfter, now, min(firstBackoff<<min(refused, 10), maxPause))), refused + 1
}

// Between returns the pause between the starts of two requests to a host with a Crawl-delay; 0 is none.
func (c Config) Between(crawl time.Duration) time.Duration {
	return max(c.Delay, min(crawl, maxAskedPause))
}

// asked returns the pause that a Retry-After asks for, or other if it has none.
func asked(retryAfter string, now time.Time, other time.Duration) time.Duration {
	if wait, ok := RetryAfter(retryAfter, now); ok {
		return min(wait, maxAskedPause)
	}
	return other
}

// RetryAfter parses the header field (RFC 9110 §10.2.3).
func RetryAfter(value string, now time.Time) (wait time.Duration, ok bool) {
	value = strings.TrimSpace(value)
	// A number that is too large is the largest one.
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(value)
	return max(at.Sub(now), 0), err == nil
}

// Crawl sets the pause that a host asks for in its robots.txt (Crawl-delay); 0 is none.
func (h *Hosts) Crawl(name string, delay time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.get(name).crawl = min(delay, maxAskedPause)
}
