package crawl

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	maxSilentHosts = 4096 // unresponsive hosts that are remembered
	maxTimeouts    = 3    // in a row before a host is suspended
	silenceTime    = 5 * time.Minute
)

// silentHosts records hosts that don't answer. Each address of a host that accepts connections and then says nothing costs a full
// time-out, so after a few in a row the host isn't asked for a while.
type silentHosts struct {
	mu    sync.Mutex
	hosts *lru.Cache[string, silence]
}

type silence struct {
	said     bool // it has been logged
	timeouts int  // in a row
	last     time.Time
}

func newSilentHosts() *silentHosts {
	hosts, _ := lru.New[string, silence](maxSilentHosts) // fails for no size above 0
	return &silentHosts{hosts: hosts}
}

// change changes the record of a host and returns the previous one.
func (s *silentHosts) change(host string, do func(*silence)) silence {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, _ := s.hosts.Get(host)
	after := before
	do(&after)
	s.hosts.Add(host, after)
	return before
}

// markLogged reports whether a silent host hasn't been logged yet, and marks it as logged.
func (s *silentHosts) markLogged(host string) bool {
	return !s.change(host, func(h *silence) { h.said = true }).said
}

func (s *silentHosts) timedOut(host string, now time.Time) {
	s.change(host, func(h *silence) { h.timeouts, h.last = h.timeouts+1, now })
}

func (s *silentHosts) answered(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h, ok := s.hosts.Peek(host); ok && h.timeouts > 0 {
		h.timeouts = 0
		s.hosts.Add(host, h)
	}
}

// isSilent reports whether a host must not be asked for now.
func (s *silentHosts) isSilent(host string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, _ := s.hosts.Get(host)
	return h.timeouts >= maxTimeouts && now.Sub(h.last) < silenceTime
}
