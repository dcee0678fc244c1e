package change

import (
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/cdx"
)

// A turn is two long texts of one block that alternate. Each is a version when it is first seen. From then on they alternate, and no
// further return makes a version.
type turn struct {
	said  [2]uint64
	since cdx.Timestamp // of the capture that shows the second for the first time
}

// findTurns finds the datetimes from which on texts alternate.
func (c *comparer) findTurns() {
	for _, said := range c.volatile.Wordings {
		t, seen := turn{said: said}, [2]bool{}
		for i := range c.states {
			s := c.shown(i)
			if s == nil || seen[0] && seen[1] {
				continue
			}
			for j := range s.Blocks {
				for k := range said {
					seen[k] = seen[k] || s.Blocks[j].NormalHash == said[k]
				}
			}
			t.since = c.states[i].Time
		}
		c.turns = append(c.turns, t)
	}
}

// sameInTurn reports whether two texts are equal except for texts that were already alternating at the time of the first one.
func (c *comparer) sameInTurn(a, b *sketch.Sketch, at cdx.Timestamp) bool {
	aside := map[uint64]bool{}
	for _, t := range c.turns {
		if t.since <= at {
			aside[t.said[0]], aside[t.said[1]] = true, true
		}
	}
	if len(aside) == 0 {
		return false
	}
	v, w := c.view(a, aside, false), c.view(b, aside, false)
	return v.core == w.core
}
