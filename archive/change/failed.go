package change

import (
	"slices"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/cdx"
)

// At status 200 a capture may show an empty shell, an error, or a wall (login, consent, bot check) instead of the page. At level content
// such a capture, between two that show the page, counts as failed.

const (
	// wallShrunk is how many times less own text than the page a wall has, at least.
	wallShrunk = 3
	// minShown is the number of own words from which on a page counts as shown.
	minShown = 30
	// besidePage is the greatest distance in seconds of data from a capture of the page at the same address.
	besidePage = 24 * 60 * 60
)

// ownWords returns the number of words of the text that are furniture neither here nor in other captures of the page.
func (c *comparer) ownWords(s *sketch.Sketch, furniture *hashing.Set) (words int) {
	for i := range s.Blocks {
		if b := &s.Blocks[i]; b.Region != visible.Title && !c.site.FurnitureBlock(b) && !furniture.Has(b.NormalHash) {
			words += int(b.Fields)
		}
	}
	return words
}

// furniture returns the blocks that are furniture in some capture of the page.
func (c *comparer) furniture() *hashing.Set {
	out := new(hashing.Set)
	for _, s := range c.sketches {
		for i := 0; s != nil && i < len(s.Blocks); i++ {
			if b := &s.Blocks[i]; b.Region.Furniture() {
				out.Add(b.NormalHash)
			}
		}
	}
	return out
}

// A showing is a run of captures of the page with the same text.
type showing struct {
	sketch      *sketch.Sketch
	own         int
	first, last int // indices of captures
	failed      bool
	gone        bool   // it shows the site's front page, which has replaced the page for good
	page        uint64 // the last text of the page itself, up to this run
}

// findFailed marks the captures that did not show the page.
func (c *comparer) findFailed() {
	c.failData()
	runs := c.showings()
	c.failWalls(runs)
	c.failInterludes(runs)
	findGone(runs, c.sketches[c.start.Page])
	c.runs = runs
	for i := range c.states {
		if c.kinds[i] == Resource && !c.states[i].Beside && c.states[i].isNoPage() && (len(runs) > 0 || c.start.Page != 0) {
			c.failed[i], c.kinds[i] = true, Error
		}
	}
	for _, r := range runs {
		for i := r.first; i <= r.last; i++ {
			switch {
			case c.kinds[i] != Page || c.states[i].Beside:
			case r.failed:
				c.failed[i], c.kinds[i] = true, Error
			case r.gone:
				c.kinds[i] = Missing
			}
		}
	}
}

// failData marks data that were captured near the page at their address: servers answer with one or the other, depending on who
// asks.
func (c *comparer) failData() {
	var page cdx.Timestamp
	look := func(i int) {
		switch s := &c.states[i]; {
		case c.shown(i) == nil:
		case !s.Data:
			page = s.Time
		case page != 0 && page.Distance(s.Time) <= besidePage:
			c.failed[i], c.kinds[i] = true, Error
		}
	}
	for i := range c.states {
		look(i)
	}
	page = 0
	for i := range slices.Backward(c.states) {
		look(i)
	}
}

func (c *comparer) showings() []showing {
	var runs []showing
	words, furniture := map[uint64]int{}, c.furniture()
	for i := range c.states {
		s := c.shown(i)
		if s == nil {
			continue
		}
		if n := len(runs); n > 0 && runs[n-1].sketch.SaysSame(s) {
			runs[n-1].last = i
			continue
		}
		if _, ok := words[s.ID]; !ok {
			words[s.ID] = c.ownWords(s, furniture)
		}
		runs = append(runs, showing{sketch: s, own: words[s.ID], first: i, last: i, failed: len(s.Blocks) == 0 && len(s.Pictures) == 0})
	}
	return runs
}

// failWalls marks walls and empty texts next to runs that show much more.
func (c *comparer) failWalls(runs []showing) {
	suspect := func(r *showing) bool { return r.sketch.Wall || r.own == 0 }
	eachSuspect(runs, suspect, func(r, before, after *showing) {
		most, words := 0, 0
		for _, n := range []*showing{before, after} {
			if n != nil {
				most, words = max(most, n.own), max(words, n.sketch.Words)
			}
		}
		switch {
		case most < minShown:
		case r.sketch.Wall:
			r.failed = most >= wallShrunk*r.own
		default: // no own text: if no run follows, the page may really be empty now
			r.failed = after != nil && r.sketch.Words*interludeShrunk <= words
		}
	})
}

// eachSuspect calls f for each suspect run with the nearest runs on both sides that aren't suspect, nil if there is none.
func eachSuspect(runs []showing, suspect func(*showing) bool, f func(r, before, after *showing)) {
	after := make([]*showing, len(runs))
	var next *showing
	for i := len(runs) - 1; i >= 0; i-- {
		after[i] = next
		if !suspect(&runs[i]) {
			next = &runs[i]
		}
	}
	var before *showing
	for i := range runs {
		if suspect(&runs[i]) {
			f(&runs[i], before, after[i])
		} else {
			before = &runs[i]
		}
	}
}
