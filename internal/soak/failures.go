package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// failures writes down what went wrong. After many it only counts.
type failures struct {
	mu  sync.Mutex
	n   int
	of  map[string]int // by kind
	out io.Writer
}

const maxFailures = 2000

func (f *failures) add(what, why string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	f.of[what]++
	if f.n <= maxFailures {
		fmt.Fprintf(f.out, "%s %s: %s\n", time.Now().Format("15:04:05.000"), what, why)
	}
}

func (f *failures) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}
