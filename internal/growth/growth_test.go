package growth

import (
	"bytes"
	"testing"
)

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
		if ratio := float64(quickest(1, factor*2048, square)) / float64(quickest(tries, 2048, square)); ratio > allowed {
			return
		}
	}
	t.Error("quadratic work passes")
}

var sink int
