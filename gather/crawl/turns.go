package crawl

import (
	"context"
	"sync"
	"time"
)

// maxTurn is how long a request holds its turn at a host. A longer one, such as a stream, doesn't block the others.
const maxTurn = 5 * time.Second

// turns limits the simultaneous requests to a host, from the browser and besides it. There is no pause between the resources of a
// page.
type turns struct {
	most int
	mu   sync.Mutex
	of   map[string]*turn
}

type turn struct {
	free  chan struct{} // capacity is the number of simultaneous requests
	users int           // running or waiting requests
}

func newTurns(most int) *turns { return &turns{most: most, of: map[string]*turn{}} }

// enter waits for a turn, which ends with leave.
func (t *turns) enter(ctx context.Context, host string) (leave func(), err error) {
	at := t.at(host)
	select {
	case at.free <- struct{}{}:
	case <-ctx.Done():
		t.gone(host, at)
		return nil, context.Cause(ctx)
	}
	var once sync.Once
	end := func() {
		once.Do(func() {
			<-at.free
			t.gone(host, at)
		})
	}
	late := time.AfterFunc(maxTurn, end)
	return func() { late.Stop(); end() }, nil
}

func (t *turns) at(host string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.of[host]
	if at == nil {
		at = &turn{free: make(chan struct{}, t.most)}
		t.of[host] = at
	}
	at.users++
	return at
}

// gone forgets a host without users.
func (t *turns) gone(host string, at *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.users--; at.users == 0 {
		delete(t.of, host)
	}
}
