package crawl

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	manyHosts   = 4096 // unresponsive hosts that are remembered
	maxTimeouts = 3    // in a row before a host is suspended
	leftAlone   = 5 * time.Minute
)

// silences records hosts that don't answer. Each address of a host that accepts connections and then says nothing costs a full
// time-out, so after a few in a row the host isn't asked for a while.
type silences struct {
	mu    sync.Mutex
	hosts *lru.Cache[string, silence]
}

type silence struct {
	said     bool // it has been logged
	timeouts int  // in a row
	last     time.Time
}

func newSilences() *silences {
	hosts, _ := lru.New[string, silence](manyHosts) // fails for no size above 0
	return &silences{hosts: hosts}
}

// change changes the record of a host and returns the previous one.
func (s *silences) change(host string, do func(*silence)) silence {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, _ := s.hosts.Get(host)
	after := before
	do(&after)
	s.hosts.Add(host, after)
	return before
}

// firstSaid reports whether a silent host hasn't been logged yet, and marks it as logged.
func (s *silences) firstSaid(host string) bool {
	return !s.change(host, func(h *silence) { h.said = true }).said
}

func (s *silences) timedOut(host string, now time.Time) {
	s.change(host, func(h *silence) { h.timeouts, h.last = h.timeouts+1, now })
}

func (s *silences) answered(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h, ok := s.hosts.Peek(host); ok && h.timeouts > 0 {
		h.timeouts = 0
		s.hosts.Add(host, h)
	}
}

// hangs reports whether a host must not be asked for now.
func (s *silences) hangs(host string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, _ := s.hosts.Get(host)
	return h.timeouts >= maxTimeouts && now.Sub(h.last) < leftAlone
}
