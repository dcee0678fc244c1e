package main

import (
	"context"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

// A kind is one of the ways to ask.
type kind struct {
	name   string
	path   string // in the description of the API; "" for what isn't there: the proxy, rubbish
	weight int
	ask    func(m *mix) *question
}

// A mix asks questions of all kinds, by chance.
type mix struct {
	random  *rand.Rand
	ledger  *ledger
	core    []*capture // captures that are always there
	pages   []*capture // of these, pages with text
	many    []*capture
	large   *capture
	posts   []*capture
	etags   map[string]string
	statics []string
}

// clients ask at a rate until the context ends, each question after the answer to its last.
type clients struct {
	client  *client
	number  int
	rate    float64 // questions a second, together
	mix     func(n int) *mix
	watches *watches
	failed  func(what, why string)
}

func (c *clients) run(ctx context.Context) {
	turns := make(chan struct{})
	var all sync.WaitGroup
	for n := range c.number {
		m := c.mix(n)
		all.Go(func() {
			for range turns {
				c.ask(ctx, m)
			}
		})
	}
	tick := time.NewTicker(time.Duration(float64(time.Second) / c.rate))
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-tick.C:
			select {
			case turns <- struct{}{}:
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
	}
	close(turns)
	all.Wait()
}

// ask asks one question, and judges its answer. An answer that is on its way is waited for even if the time is over.
func (c *clients) ask(ctx context.Context, m *mix) {
	k := m.kind()
	q := k.ask(m)
	a, err := c.client.do(context.WithoutCancel(ctx), q)
	switch {
	case err != nil && os.IsTimeout(err):
		c.failed(k.name, q.method+" "+q.target+": no answer in time")
		return
	case err != nil:
		c.failed(k.name, q.method+" "+q.target+": "+err.Error())
		return
	}
	c.watches.took(k.name, a)
	if q.right == nil {
		return
	}
	if wrong := q.right(a); wrong != "" {
		c.failed(k.name, describe(q, a, wrong))
	}
}

// kind chooses a kind by its weight.
func (m *mix) kind() *kind {
	n := m.random.IntN(allWeights)
	for i := range kinds {
		if n -= kinds[i].weight; n < 0 {
			return &kinds[i]
		}
	}
	panic("weights that don't add up")
}

var allWeights = func() (sum int) {
	for _, k := range kinds {
		sum += k.weight
	}
	return sum
}()
