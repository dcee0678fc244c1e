package site

import (
	"testing"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/internal/testkit/growth"
)

// On a page of which all blocks change, many may be counters.
func TestCountingMasksGrowsWithTheText(t *testing.T) {
	type change struct {
		a    *sketch.Sketch
		gone []*sketch.Block
	}
	growth.Linear(t, "counters behind other blocks", func(n int) change {
		c := change{a: &sketch.Sketch{Blocks: make([]sketch.Block, 5*n)}}
		for i := range c.a.Blocks {
			b := &c.a.Blocks[i]
			b.Mask, b.Plain, b.Digits = 1, 1, i >= 4*n
			c.gone = append(c.gone, b)
		}
		return c
	}, func(c change) {
		f := newFlicker()
		f.pages = []pageCounts{{counts: map[*tally]*count{}}}
		f.countMasks(c.a, c.gone, map[uint64]int{1: len(c.gone)})
	})
}
