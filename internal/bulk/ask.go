package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An asker sends requests for random URI-Rs to servers with stores of many, in turns, so that other load on the machine affects all servers
// alike.
type asker struct {
	servers  []asked
	requests int // of each kind, to each
	client   *http.Client
}

// An asked is a server and how many URI-Rs its store was made with.
type asked struct {
	server    string
	originals int
}

// parseAsked reads "ORIGINALS@SERVER".
func parseAsked(s string) (a asked, err error) {
	n, server, ok := strings.Cut(s, "@")
	if a.originals, err = strconv.Atoi(n); !ok || err != nil || a.originals < 1 {
		return a, fmt.Errorf("%q is not the number of URI-Rs, @, and the address of a server", s)
	}
	a.server = server
	return a, nil
}

// kinds are the requests, as paths with a place for a URI-R. Redirects of TimeGates, and of datetimes without a capture, are followed.
func kinds() []struct {
	name, path string
	here       bool
} {
	return []struct {
		name, path string
		here       bool
	}{
		{"TimeGate", "/web/%s", true},
		{"memento as archived", "/web/2010id_/%s", false},
		{"memento", "/web/2010mp_/%s", false},
		{"memento with banner", "/web/2010/%s", false},
		{"TimeMap", "/web/timemap/link/%s", false},
		{"CDX", "/web/cdx?url=%s", false},
		{"nearest by CDX", "/web/cdx?sort=closest&closest=20100101&limit=1&url=%s", false},
		{"changes", "/web/changes?url=%s", false},
		{"calendar", "/web/*/%s", false},
		{"URI-Rs below", "/web/cdx?matchType=prefix&limit=20&url=%s", false},
	}
}

// write prints the median and the 99th percentile of each kind of request, and their ratios to those of the first server.
func (a asker) write(ctx context.Context, w io.Writer) error {
	a.client = &http.Client{
		Timeout: time.Minute,
		CheckRedirect: func(r *http.Request, _ []*http.Request) error {
			if r.Context().Value(stayHere{}) != nil {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
	for i, kind := range kinds() {
		asking := ctx
		if kind.here {
			asking = context.WithValue(ctx, stayHere{}, true)
		}
		took, err := a.kind(asking, kind.path, uint64(i))
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		for i, t := range took {
			_, err := fmt.Fprintf(w, "%-20s %-30s %6d requests, p50 %7v, p99 %7v", kind.name, a.servers[i].server, len(t), at(t, 50), at(t, 99))
			if i > 0 && err == nil {
				ratio := func(p int) float64 { return float64(at(t, p)) / float64(max(1, at(took[0], p))) }
				_, err = fmt.Fprintf(w, ", %.2f and %.2f times those of the first", ratio(50), ratio(99))
			}
			if _, newline := fmt.Fprintln(w); err != nil || newline != nil {
				return err
			}
		}
	}
	return nil
}

// stayHere marks requests that are not redirected.
type stayHere struct{}

// at returns a percentile of times, which are sorted.
func at(took []time.Duration, percent int) time.Duration {
	return took[len(took)*percent/100].Round(time.Microsecond)
}

// kind returns the sorted times of requests of a kind at each server. Each kind uses other URI-Rs, so that caches of a server don't help.
func (a asker) kind(ctx context.Context, path string, seed uint64) ([][]time.Duration, error) {
	took := make([][]time.Duration, len(a.servers))
	random := rand.New(rand.NewPCG(1, seed)) // #nosec G404 -- the same each time
	for range a.requests {
		for i, s := range a.servers {
			uri := originalOf(random.IntN(s.originals))
			began := time.Now()
			status, err := a.ask(ctx, s.server+fmt.Sprintf(path, uri))
			switch {
			case err != nil:
				return nil, err
			case status == http.StatusNotFound: // by chance it isn't in the store
				continue
			case status >= http.StatusBadRequest:
				return nil, fmt.Errorf("%s: status %d of %s", uri, status, s.server)
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	for i, s := range a.servers {
		if len(took[i]) == 0 {
			return nil, fmt.Errorf("none of %d URI-Rs is at %s", a.requests, s.server)
		}
		slices.Sort(took[i])
	}
	return took, nil
}

// ask sends a request, reads the answer and those that it leads to, and returns the status of the last.
func (a asker) ask(ctx context.Context, uri string) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, uri, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Accept", "text/html")
	answer, err := a.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}
