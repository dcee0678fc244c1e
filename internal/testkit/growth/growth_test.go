package growth

import (
	"bytes"
	"sync"
	"testing"
	"time"
)

// A clock is moved on by the work itself, so the comparison is exact.
func TestCompare(t *testing.T) {
	const us = time.Microsecond
	tests := []struct {
		name  string
		cost  func(n, run int) time.Duration // of the work on n things; runs are counted from 1
		n     int
		ratio float64
		last  int // the run in which it ends
	}{
		{"linear", func(n, _ int) time.Duration { return time.Duration(n) * us }, 512, 16, 13},
		{"just long enough on the smallest input", func(n, _ int) time.Duration { return time.Duration(n) * enough / 64 }, 64, 16, 7},
		{
			"a moment too short on the smallest input",
			func(n, _ int) time.Duration { return time.Duration(n)*enough/64 - 1 }, 128, 16.000025, 9,
		},
		{"quadratic", func(n, _ int) time.Duration { return time.Duration(n*n) * us }, 64, 256, 62},
		{"as much as is allowed", func(n, _ int) time.Duration { return cost(n == 64, 96) }, 64, 96, 7},
		{"more than is allowed", func(n, _ int) time.Duration { return cost(n == 64, 97) }, 64, 97, 62},
		{"disturbed at first", func(n, run int) time.Duration { return cost(n == 64, 16+1000*max(0, 12-run)) }, 64, 16, 12},
		{"no work", func(int, int) time.Duration { return 0 }, biggest, 1 / float64(enough), 27},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now, run, largest := time.Duration(0), 0, 0
			n, ratio := compare(func() time.Duration { return now }, func(n int) int { return n }, func(n int) {
				run++
				largest = max(largest, n)
				now += tt.cost(n, run)
			})
			if n != tt.n || ratio < tt.ratio*0.999999 || ratio > tt.ratio*1.000001 || run != tt.last || largest != 16*n {
				t.Errorf("n %d, ratio %f, %d runs, the largest on %d", n, ratio, run, largest)
			}
		})
	}
}

// cost is one millisecond for the small input, else so many.
func cost(small bool, times int) time.Duration {
	if small {
		return enough
	}
	return enough * time.Duration(times)
}

// Linear must accept linear work, and n log n.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("Linear itself measures in the long form of the tests only")
	}
	text := func(n int) []byte { return bytes.Repeat([]byte("a"), n) }
	total := 0
	Linear(t, "a sum", text, func(b []byte) {
		for _, c := range b {
			total += int(c)
		}
	})
	if total == 0 {
		t.Error("nothing was done")
	}
}

// The same measure must show quadratic work.
func TestQuadraticWorkShows(t *testing.T) {
	square := func(n int) {
		s := 0
		for i := range n {
			for j := range n {
				s += i ^ j
			}
		}
		sink = s
	}
	for range tries {
		if ratio := float64(quickest(worked, 1, factor*512, square)) / float64(quickest(worked, tries, 512, square)); ratio > allowed {
			return
		}
	}
	t.Error("quadratic work passes")
}

// Memory is counted, so that the comparison is nearly exact.
func TestMemory(t *testing.T) {
	for name, tt := range map[string]struct {
		bytes func(n int) int
		most  float64
		least float64
	}{
		"linear":            {func(n int) int { return n << 10 }, 17, 15},
		"quadratic":         {func(n int) int { return n * n << 6 }, 257, 250},
		"a little":          {func(n int) int { return n }, 1, 0},
		"a little, squared": {func(n int) int { return n * n / 8 }, allowed, 0},
	} {
		got := memory(256, func(n int) int { return n }, func(n int) { kept = make([]byte, tt.bytes(n)) })
		if got > tt.most || got < tt.least {
			t.Errorf("%s: %.1f times as much", name, got)
		}
		if quadratic := name == "quadratic"; quadratic != (got > allowed) {
			t.Errorf("%s: %.1f times as much, allowed are %d", name, got, allowed)
		}
	}
}

// A buffer that the work on the larger input leaves in a pool for the smaller one isn't growth.
func TestMemoryOfPools(t *testing.T) {
	var pool sync.Pool
	got := memory(256, func(n int) int { return n << 10 }, func(n int) {
		b, ok := pool.Get().(*[]byte)
		if !ok || cap(*b) < n {
			buffer := make([]byte, n)
			b = &buffer
		}
		kept = make([]byte, n/16) // what it takes besides
		pool.Put(b)
	})
	if got > 17 {
		t.Errorf("%.1f times as much", got)
	}
}

var (
	sink int
	kept []byte
)
