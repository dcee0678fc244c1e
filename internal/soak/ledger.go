package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

// A state is what is known about the presence of a capture.
type state int

const (
	absent state = iota
	unsure       // its file is being added, moved, damaged or removed
	there
)

// A capture describes a written capture and its state. The fields above the line never change.
type capture struct {
	uri      string
	at       time.Time
	status   int
	mime     string
	location string
	body     []byte
	marker   string   // a word that only this body contains; "" if there is none
	original *capture // of a revisit
	sent     string   // the body of the POST that it answers; "" for a GET
	// -- guarded by the ledger's lock
	state state
	since time.Time
}

func (c *capture) ts() string { return c.at.Format(stamp) }

// A ledger knows which captures are in the store, and since when that is certain.
type ledger struct {
	mu   sync.Mutex
	of   map[string][]*capture // by URI-R
	gone []*capture            // the latest that are absent
	come []*capture            // captures of temporary files, unless absent
}

// longGone is how long absent captures are remembered. No request takes that long.
const longGone = 3 * time.Minute

// maxGone is how many captures that are gone are remembered, to be asked for.
const maxGone = 400

func newLedger() *ledger { return &ledger{of: map[string][]*capture{}} }

// set sets the state of captures from now on.
func (l *ledger) set(s state, captures ...*capture) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for _, c := range captures {
		if !slices.Contains(l.of[c.uri], c) {
			l.of[c.uri] = append(l.of[c.uri], c)
			l.come = append(l.come, c)
		}
		c.state, c.since = s, now
		if s == absent {
			l.gone = append(l.gone, c)
			l.come = slices.DeleteFunc(l.come, func(o *capture) bool { return o == c })
		}
		l.forget(c.uri, now)
	}
	if n := len(l.gone) - maxGone; n > 0 {
		for _, c := range l.gone[:n] {
			l.forget(c.uri, now)
		}
		l.gone = slices.Delete(l.gone, 0, n)
	}
}

// put adds many captures of URI-Rs that are there from the beginning.
func (l *ledger) put(captures ...*capture) {
	for _, c := range captures {
		c.state = there
		l.of[c.uri] = append(l.of[c.uri], c)
	}
}

// forget drops captures of a URI-R that have been absent for long.
func (l *ledger) forget(uri string, now time.Time) {
	l.of[uri] = slices.DeleteFunc(l.of[uri], func(c *capture) bool { return c.state == absent && now.Sub(c.since) > longGone })
	if len(l.of[uri]) == 0 {
		delete(l.of, uri)
	}
}

// A known is what an answer is checked against: captures that were present during the whole request, and those that may have been present
// at some time, which include the first.
type known struct{ sure, possible []*capture }

// between returns what is known of the captures that a function chooses, from a moment until now.
func (l *ledger) between(began time.Time, of func(uri string) bool) (k known) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for uri, captures := range l.of {
		if of(uri) {
			k.add(captures, began)
		}
	}
	return k
}

// ofURI returns what is known of the captures of a URI-R, from a moment until now.
func (l *ledger) ofURI(uri string, began time.Time) (k known) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k.add(l.of[uri], began)
	return k
}

func (k *known) add(captures []*capture, began time.Time) {
	for _, c := range captures {
		settled := c.since.Before(began)
		switch {
		case settled && c.state == there:
			k.sure = append(k.sure, c)
			fallthrough
		case !settled || c.state != absent:
			k.possible = append(k.possible, c)
		}
	}
}

// isSure reports whether the capture was present all the time.
func (k *known) isSure(c *capture) bool { return slices.Contains(k.sure, c) }

// at returns the possible capture of a datetime, nil if there is none.
func (k *known) at(ts string) *capture {
	i := slices.IndexFunc(k.possible, func(c *capture) bool { return c.ts() == ts })
	if i < 0 {
		return nil
	}
	return k.possible[i]
}

// still reports whether no file was being changed.
func (k *known) still() bool { return len(k.sure) == len(k.possible) }

// some returns the captures that a function selects, unsorted.
func (l *ledger) some(want func(*capture) bool) (out []*capture) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, captures := range l.of {
		for _, c := range captures {
			if want(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// passing returns a capture of a temporary file, nil if there is none.
func (l *ledger) passing(random *rand.Rand) *capture {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.come) == 0 {
		return nil
	}
	return l.come[random.IntN(len(l.come))]
}

func (l *ledger) lastGone() []*capture {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.gone)
}

// onHost chooses the URI-Rs of a host.
func onHost(host string) func(string) bool {
	return func(uri string) bool {
		return strings.HasPrefix(uri, "http://"+host+"/") || strings.HasPrefix(uri, "https://"+host+"/")
	}
}
