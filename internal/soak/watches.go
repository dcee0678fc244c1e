package main

import (
	"slices"
	"sync"
	"time"
)

// watches hold how long answers took, by kind and minute.
type watches struct {
	mu    sync.Mutex
	began time.Time
	of    map[string][][]float32 // milliseconds, by kind and minute
}

func (w *watches) took(kind string, a *answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	minute := int(a.began.Sub(w.began) / time.Minute)
	for len(w.of[kind]) <= minute {
		w.of[kind] = append(w.of[kind], nil)
	}
	w.of[kind][minute] = append(w.of[kind][minute], float32(a.ended.Sub(a.began).Seconds()*1000))
}

// between returns what answers of a kind took in some minutes, in order.
func (w *watches) between(kind string, from, to int) []float32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	minutes := w.of[kind]
	to = min(to, len(minutes))
	out := slices.Concat(minutes[min(from, to):to]...)
	slices.Sort(out)
	return out
}

// minutes returns how many minutes have begun.
func (w *watches) minutes() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, minutes := range w.of {
		n = max(n, len(minutes))
	}
	return n
}

func percentile(sorted []float32, p int) float32 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)*p/100]
}
