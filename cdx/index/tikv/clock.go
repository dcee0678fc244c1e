package tikv

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// staleness is how old a snapshot may be.
const staleness = 100 * time.Millisecond

// A clock gives timestamps to read at. A snapshot shows what was written before its timestamp.
type clock struct {
	now func() (uint64, error) // asks the cluster; it may take half a minute until it gives up

	asking singleflight.Group // one question at a time answers all who wait
	mu     sync.Mutex
	last   uint64    // the newest timestamp that is known
	asked  time.Time // when it was asked for
}

// read returns a timestamp that is not older than [staleness], nor than what this process wrote.
func (c *clock) read(ctx context.Context) (uint64, error) {
	c.mu.Lock()
	last, age := c.last, time.Since(c.asked)
	c.mu.Unlock()
	if age < staleness/2 {
		return last, nil
	}
	answer := c.asking.DoChan("", c.ask)
	if age < staleness { // while requests come, none has to wait
		return last, nil
	}
	select {
	case a := <-answer:
		if a.Err != nil {
			return 0, a.Err
		}
		return a.Val.(uint64), nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// ask asks for a timestamp.
func (c *clock) ask() (any, error) {
	began := time.Now()
	ts, err := c.now()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last, c.asked = max(c.last, ts), began
	return c.last, nil
}

// own returns a timestamp that nobody else has, for a transaction.
func (c *clock) own(ctx context.Context) (uint64, error) {
	type answer struct {
		ts  uint64
		err error
	}
	done := make(chan answer, 1)
	go func() {
		ts, err := c.now()
		done <- answer{ts, err}
	}()
	select {
	case a := <-done:
		return a.ts, a.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// wrote says that something was written at a timestamp: who reads from now on sees it.
func (c *clock) wrote(ts uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last, ts)
}

// forget makes the next read ask. One that has been asked already may answer it.
func (c *clock) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = time.Time{}
}
