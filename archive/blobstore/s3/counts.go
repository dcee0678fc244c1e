package s3

import (
	"io"
	"maps"
	"net/http"
	"sync"
)

// Counts are about requests to a storage, each attempt by itself.
type Counts struct {
	Requests map[string]int64 // by method
	Failures int64            // without an answer, or answered with 429 or 5xx
	Received int64            // bytes of answers
}

// Counts returns what has been asked so far.
func (c *Client) Counts() Counts {
	c.counter.mu.Lock()
	defer c.counter.mu.Unlock()
	out := c.counter.counts
	out.Requests = maps.Clone(out.Requests)
	return out
}

// A counting transport counts.
type counting struct {
	http.RoundTripper
	mu     sync.Mutex
	counts Counts
}

// RoundTrip implements [http.RoundTripper].
func (t *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.RoundTripper.RoundTrip(r)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts.Requests == nil {
		t.counts.Requests = map[string]int64{}
	}
	t.counts.Requests[r.Method]++
	if err != nil {
		t.counts.Failures++
		return nil, err
	}
	if answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= 500 {
		t.counts.Failures++
	}
	answer.Body = &countedBody{answer.Body, t}
	return answer, nil
}

type countedBody struct {
	io.ReadCloser
	of *counting
}

// Read implements [io.Reader].
func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.of.mu.Lock()
	b.of.counts.Received += int64(n)
	b.of.mu.Unlock()
	return n, err
}
