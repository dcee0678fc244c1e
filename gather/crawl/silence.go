package crawl

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	manyHosts   = 4096 // hosts that don't answer are remembered
	maxTimeouts = 3    // in a row, then a host is left alone
	leftAlone   = 5 * time.Minute
)

// silences are the hosts that don't answer. Each address of a host that takes connections and says nothing costs a whole
// time-out, so after a few in a row the host isn't asked for a while.
type silences struct {
	mu    sync.Mutex
	hosts *lru.Cache[string, silence]
}

type silence struct {
	said     bool // the log names it
	timeouts int  // in a row
	last     time.Time
}

func newSilences() (*silences, error) {
	hosts, err := lru.New[string, silence](manyHosts)
	return &silences{hosts: hosts}, err
}

// change changes what is known of a host and returns what was known before.
func (s *silences) change(host string, do func(*silence)) silence {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, _ := s.hosts.Get(host)
	after := before
	do(&after)
	s.hosts.Add(host, after)
	return before
}

// firstSaid reports whether nobody has said yet that a host doesn't answer.
func (s *silences) firstSaid(host string) bool {
	return !s.change(host, func(h *silence) { h.said = true }).said
}

// timedOut notes that a host let a request wait in vain.
func (s *silences) timedOut(host string, now time.Time) {
	s.change(host, func(h *silence) { h.timeouts, h.last = h.timeouts+1, now })
}

// answered notes that a host does answer.
func (s *silences) answered(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h, ok := s.hosts.Peek(host); ok && h.timeouts > 0 {
		h.timeouts = 0
		s.hosts.Add(host, h)
	}
}

// hangs reports whether a host is to be left alone.
func (s *silences) hangs(host string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, _ := s.hosts.Get(host)
	return h.timeouts >= maxTimeouts && now.Sub(h.last) < leftAlone
}
