package tikv

import (
	"sync"
	"time"
)

// staleness is how old a snapshot may be.
const staleness = 100 * time.Millisecond

// A clock gives timestamps to read at. A snapshot shows what was written before its timestamp.
type clock struct {
	now func() (uint64, error) // asks the cluster

	asking  sync.Mutex // one question at a time answers all who wait
	mu      sync.Mutex
	last    uint64    // the newest timestamp that is known
	asked   time.Time // when it was asked for
	waiting bool      // the next one is asked for already
}

// read returns a timestamp that is not older than [staleness], nor than what this process wrote.
func (c *clock) read() (uint64, error) {
	c.mu.Lock()
	last, asked := c.last, c.asked
	if age := time.Since(asked); age < staleness {
		ahead := age > staleness/2 && !c.waiting
		c.waiting = c.waiting || ahead
		c.mu.Unlock()
		if ahead { // while requests come, none has to wait
			go func() { _, _ = c.ask(asked) }()
		}
		return last, nil
	}
	c.mu.Unlock()
	return c.ask(asked)
}

// ask asks for a timestamp, unless somebody has done so since.
func (c *clock) ask(since time.Time) (uint64, error) {
	c.asking.Lock()
	defer c.asking.Unlock()
	c.mu.Lock()
	last, done := c.last, c.asked.After(since)
	c.mu.Unlock()
	if done {
		return last, nil
	}
	began := time.Now()
	ts, err := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = false
	if err != nil {
		return 0, err
	}
	c.last, c.asked = max(c.last, ts), began
	return c.last, nil
}

// wrote says that something was written at a timestamp: who reads from now on sees it.
func (c *clock) wrote(ts uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last, ts)
}

// forget makes the next read ask.
func (c *clock) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = time.Time{}
}
