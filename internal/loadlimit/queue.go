package loadlimit

import (
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// A Queue bounds how many requests are answered at once. A bounded number of further requests waits for a bounded time;
// all others are told to come back later.
type Queue struct {
	Running int           // at once; one address gets at most three quarters
	Waiting int           // at most
	Wait    time.Duration // the longest wait for a turn

	// Passes reports whether a request is answered at once, without a turn; nil if none is.
	Passes func(*http.Request) bool

	mu      sync.Mutex
	once    sync.Once
	turns   chan struct{}
	waiting chan struct{}
	of      map[string]int // running requests by address
}

// Handler returns next behind the queue.
func (q *Queue) Handler(next http.Handler) http.Handler {
	q.once.Do(func() {
		q.turns, q.waiting, q.of = make(chan struct{}, q.Running), make(chan struct{}, q.Waiting), map[string]int{}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if q.Passes != nil && q.Passes(r) {
			next.ServeHTTP(w, r)
			return
		}
		address, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			address = r.RemoteAddr
		}
		if !q.enter(r, address) {
			w.Header().Set("Retry-After", strconv.Itoa(max(1, int(q.Wait/time.Second))))
			http.Error(w, "too much is asked at once here; come back soon", http.StatusServiceUnavailable)
			return
		}
		defer q.leave(address)
		next.ServeHTTP(w, r)
	})
}

// enter waits for a turn and reports whether it got one.
func (q *Queue) enter(r *http.Request, address string) bool {
	select {
	case q.waiting <- struct{}{}:
	default:
		return false
	}
	defer func() { <-q.waiting }()
	late := time.NewTimer(q.Wait)
	defer late.Stop()
	for share := max(1, q.Running*3/4); ; {
		select {
		case q.turns <- struct{}{}: // first of all: a client that has ended its input still wants its answer
		default:
			select {
			case q.turns <- struct{}{}:
			case <-late.C:
				return false
			case <-r.Context().Done():
				return false
			}
		}
		if q.take(address, share) {
			return true
		}
		<-q.turns
		select {
		case <-time.After(10 * time.Millisecond): // other requests from this address have to end first
		case <-late.C:
			return false
		case <-r.Context().Done():
			return false
		}
	}
}

// take counts a request of an address, unless the address already has its share.
func (q *Queue) take(address string, share int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.of[address] >= share {
		return false
	}
	q.of[address]++
	return true
}

func (q *Queue) leave(address string) {
	q.mu.Lock()
	if q.of[address]--; q.of[address] == 0 {
		delete(q.of, address)
	}
	q.mu.Unlock()
	<-q.turns
}
