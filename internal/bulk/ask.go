package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"
)

// An asker asks a server that has a store of many for random URI-Rs, one request after the other.
type asker struct {
	server    string
	originals int
	requests  int // of each kind
	client    *http.Client
}

// kinds are the requests, as paths with a URI-R to fill in.
var kinds = []struct{ name, path string }{
	{"TimeGate", "/web/%s"},
	{"memento as archived", "/web/2010id_/%s"},
	{"memento", "/web/2010mp_/%s"},
	{"TimeMap", "/web/timemap/link/%s"},
	{"CDX", "/web/cdx?url=%s"},
	{"changes", "/web/changes?url=%s"},
}

// write prints the median and the 99th percentile of each kind of request.
func (a asker) write(ctx context.Context, w io.Writer) error {
	a.client = &http.Client{Timeout: time.Minute}
	for _, kind := range kinds {
		random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- the same each time
		took := make([]time.Duration, 0, a.requests)
		missing := 0
		for range a.requests {
			i := random.IntN(a.originals)
			began := time.Now()
			status, err := a.ask(ctx, a.server+fmt.Sprintf(kind.path, originalOf(i)))
			switch {
			case err != nil:
				return err
			case status == http.StatusNotFound: // chance has left it out of the store
				missing++
				continue
			case status >= http.StatusBadRequest:
				return fmt.Errorf("%s of %s: status %d", kind.name, originalOf(i), status)
			}
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		if len(took) == 0 {
			return fmt.Errorf("%s: none of %d URI-Rs is there", kind.name, missing)
		}
		_, err := fmt.Fprintf(w, "%-20s %6d requests, p50 %v, p99 %v\n", kind.name, len(took),
			took[len(took)/2].Round(time.Microsecond), took[len(took)*99/100].Round(time.Microsecond))
		if err != nil {
			return err
		}
	}
	return nil
}

// ask sends a request, reads the answer and those that it leads to, and returns the status of the last.
func (a asker) ask(ctx context.Context, uri string) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, uri, nil)
	if err != nil {
		return 0, err
	}
	answer, err := a.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}
