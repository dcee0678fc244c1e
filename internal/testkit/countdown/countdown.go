// Package countdown has a context for tests of what happens when somebody leaves in the middle of the work.
package countdown

import (
	"context"
	"sync/atomic"
	"testing"
)

// A Context is canceled once it was asked a number of times whether it is.
type Context struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

// New returns a context that is canceled when it is asked for the time after n.
func New(tb testing.TB, n int) *Context {
	ctx, cancel := context.WithCancel(tb.Context())
	tb.Cleanup(cancel)
	c := &Context{Context: ctx, cancel: cancel}
	c.left.Store(int64(n))
	return c
}

// Over reports whether it was canceled by being asked.
func (c *Context) Over() bool { return c.left.Load() < 0 }

func (c *Context) Done() <-chan struct{} {
	c.count()
	return c.Context.Done()
}

func (c *Context) Err() error {
	c.count()
	return c.Context.Err()
}

func (c *Context) count() {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
}
