package main

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/varve-archive/varve/internal/sleep"
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
	large   *capture
	posts   []*capture
	etags   map[string]string
	statics []string
}

// askAll has all clients ask at the rate until the context ends, each question after the answer to its last.
func (s *soak) askAll(ctx context.Context) {
	turns := make(chan struct{})
	var all sync.WaitGroup
	for n := range s.clients {
		m := s.mix(n)
		all.Go(func() {
			for range turns {
				s.askOne(ctx, m)
			}
		})
	}
	for range sleep.Every(ctx, time.Duration(float64(time.Second)/s.rate)) {
		select {
		case turns <- struct{}{}:
		case <-ctx.Done():
		}
	}
	close(turns)
	all.Wait()
}

// askOne asks one question, and judges its answer. An answer that is on its way is waited for even if the time is over.
func (s *soak) askOne(ctx context.Context, m *mix) {
	k := m.kind()
	q := k.ask(m)
	a, err := s.client.do(context.WithoutCancel(ctx), q)
	if err != nil {
		s.failures.add(k.name, q.method+" "+q.target+": "+err.Error())
		return
	}
	s.took.add(k.name, a)
	if q.right == nil {
		return
	}
	if wrong := q.right(a); wrong != "" {
		s.failures.add(k.name, describe(q, a, wrong))
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
