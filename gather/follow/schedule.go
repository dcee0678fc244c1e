package follow

import (
	"time"

	"github.com/varve-archive/varve/gather/follow/policy"
)

const (
	// rarely is how often a source is asked that is gone, or has had nothing for a fortnight since it is known: it is not forgotten.
	rarely = 7 * 24 * time.Hour
	barren = 14 * 24 * time.Hour
	// firstBackoff is the pause after a source has failed once.
	firstBackoff = 5 * time.Minute
	// told is how often a source is asked whose hub tells of changes.
	told = 12 * time.Hour
)

// schedule says when a source is asked again that was asked now. f.mu is held.
func (f *poller) schedule(s *source, isNew bool) {
	now := f.now()
	m := &s.memory
	m.Next = f.nextOf(s, now, isNew)
	if ttl := m.Hints.TTL; ttl > 0 && s.set.Every == 0 {
		m.Next = later(m.Next, now.Add(ttl))
	}
	if m.Entries == 0 && s.kind != kindPage && now.Sub(m.First) > barren {
		m.Next = later(m.Next, now.Add(rarely))
	}
	if m.Push.Trusted(now) {
		m.Next = later(m.Next, earlier(now.Add(told), m.Push.Until))
	}
	m.Next = m.Hints.After(m.Next)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// nextOf returns when the policy asks a source again.
func (f *poller) nextOf(s *source, now time.Time, isNew bool) time.Time {
	m := &s.memory
	if s.set.Every > 0 {
		return now.Add(s.set.Every)
	}
	switch f.set.Policy {
	case policy.Fixed:
		return now.Add(f.set.Every)
	case policy.Halving:
		if m.Step == 0 {
			m.Step = f.set.Every
		}
		m.Step = policy.Halve(m.Step, isNew)
		return now.Add(m.Step)
	}
	a := f.allow()
	a.Needs(s.url, m.Rate.Need())
	return m.Rate.Next(now, a.Worth(now), policy.Least, policy.Most)
}

// backOff says when a source is asked again that has failed, and how long its host wants to be left alone at least. f.mu is held.
func (f *poller) backOff(s *source, asked time.Duration) {
	m := &s.memory
	m.Failed++
	wait := min(firstBackoff<<min(m.Failed-1, 10), policy.Most)
	m.Next = m.Hints.After(f.now().Add(max(wait, min(asked, rarely))))
}
