package s3

import (
	"io"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
)

// Counts are numbers of requests to a storage, each attempt counted separately.
type Counts struct {
	Requests map[string]int64 // by method
	Failures int64            // unanswered, or answered with 429 or 5xx
	Received int64            // bytes of answers
}

// Counts returns the counts so far.
func (c *Client) Counts() Counts {
	t := c.counter
	t.mu.Lock()
	defer t.mu.Unlock()
	return Counts{Requests: maps.Clone(t.requests), Failures: t.failures.Load(), Received: t.received.Load()}
}

type counting struct {
	http.RoundTripper
	failures, received atomic.Int64

	mu       sync.Mutex
	requests map[string]int64
}

func (t *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	t.mu.Lock()
	t.requests[r.Method]++
	t.mu.Unlock()
	answer, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		t.failures.Add(1)
		return nil, err
	}
	if answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= 500 {
		t.failures.Add(1)
	}
	answer.Body = &countedBody{answer.Body, &t.received}
	return answer, nil
}

type countedBody struct {
	io.ReadCloser
	received *atomic.Int64
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.received.Add(int64(n))
	return n, err
}
