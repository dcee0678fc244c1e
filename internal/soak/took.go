package main

import (
	"slices"
	"sync"
	"time"
)

// took holds how long answers took.
type took struct {
	mu sync.Mutex
	of map[string][]float32 // milliseconds, by kind
}

func (t *took) add(kind string, a *answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of[kind] = append(t.of[kind], float32(a.ended.Sub(a.began))/float32(time.Millisecond))
}

// sorted returns what answers of a kind took, the quickest first.
func (t *took) sorted(kind string) []float32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(slices.Values(t.of[kind]))
}

func percentile(sorted []float32, p int) float32 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)*p/100]
}
