package follow

import (
	"cmp"
	"time"

	"github.com/varve-archive/varve/gather/follow/policy"
)

const (
	// rareInterval is the interval for a source that is gone, or had no entries for its first fortnight.
	rareInterval = 7 * 24 * time.Hour
	barrenTime   = 14 * 24 * time.Hour
	// firstBackoff is the pause after a source's first failure.
	firstBackoff = 5 * time.Minute
	// hubInterval is the interval for a source with a reliable hub.
	hubInterval = 12 * time.Hour
)

// schedule sets the next poll of a source that was polled now. f.mu is held.
func (f *poller) schedule(s *source, isNew bool) {
	now := f.now()
	m := &s.memory
	m.Next = f.nextOf(s, now, isNew)
	if ttl := m.Hints.TTL; ttl > 0 && s.set.Every == 0 {
		m.Next = later(m.Next, now.Add(ttl))
	}
	if m.Entries == 0 && s.kind != kindPage && now.Sub(m.First) > barrenTime {
		m.Next = later(m.Next, now.Add(rareInterval))
	}
	if m.Push.Trusted(now) {
		m.Next = later(m.Next, earlier(now.Add(hubInterval), m.Push.Until))
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

// nextOf returns the time of the next poll by the policy.
func (f *poller) nextOf(s *source, now time.Time, isNew bool) time.Time {
	m := &s.memory
	if s.set.Every > 0 {
		return now.Add(s.set.Every)
	}
	switch f.set.Policy {
	case policy.Fixed:
		return now.Add(f.set.Every)
	case policy.Halving:
		m.Step = policy.NextInterval(cmp.Or(m.Step, f.set.Every), isNew)
		return now.Add(m.Step)
	}
	a := f.allow()
	a.Needs(s.url, m.Rate.Need())
	return m.Rate.Next(now, a.Worth(now), policy.Least, policy.Most)
}

// backOff sets the next poll of a source that failed. asked is the pause that its host asks for. f.mu is held.
func (f *poller) backOff(s *source, asked time.Duration) {
	m := &s.memory
	m.Failed++
	wait := min(firstBackoff<<min(m.Failed-1, 10), policy.Most)
	m.Next = m.Hints.After(f.now().Add(max(wait, min(asked, rareInterval))))
}
