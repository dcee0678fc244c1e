package change

// What a capture shows may not be the page: an empty shell, an error, a wall of some kind, at status 200. At level content
// such a capture has failed, between two that show the page.

const (
	// A wall has so many times less text of its own than the page shows.
	wallShrunk = 3
	// What takes a page's place for a while and is none of it is so many times shorter. Two texts of like length that take
	// turns are both the page's.
	interludeShrunk = 2
	// minShown is how much text of its own, in words, a page has at least that shows itself.
	minShown = 30
	// What is no part of a page is less like it than unlikePage, what comes back at least likePage.
	unlikePage = 0.2
	likePage   = 0.7
	// minInterludes is how often another text takes the place of a page's, each time for a while, to be none of it.
	minInterludes = 2
	// maxInterludes bounds how many before and after it one is compared with.
	maxInterludes = 16
)

// own returns the words of the text that are no furniture, there or in other captures of the page.
func (c *comparer) own(s *Sketch, furniture *hashSet) (words int) {
	for i := range s.Blocks {
		if b := &s.Blocks[i]; b.Region != Title && !c.site.furnitureBlock(b) && !furniture.has(b.Said) {
			words += int(b.Fields)
		}
	}
	return words
}

// furniture returns the blocks that are furniture in some capture of the page.
func (c *comparer) furniture() *hashSet {
	out := new(hashSet)
	for _, s := range c.sketches {
		for i := 0; s != nil && i < len(s.Blocks); i++ {
			if b := &s.Blocks[i]; b.Region.Furniture() {
				out.add(b.Said)
			}
		}
	}
	return out
}

// A showing is a run of captures with the same text that show a page.
type showing struct {
	sketch      *Sketch
	own         int
	first, last int // captures
	failed      bool
	door        bool // it asks to log in, in the place of a page that doesn't
}

// findFailed marks the captures that did not show the page.
func (c *comparer) findFailed() {
	runs := c.showings()
	c.failWalls(runs)
	c.failInterludes(runs)
	for _, r := range runs {
		for i := r.first; r.failed && i <= r.last; i++ {
			if c.kinds[i] == Page {
				c.failed[i], c.kinds[i] = true, Error
			}
		}
	}
}

func (c *comparer) showings() []showing {
	var runs []showing
	words, furniture := map[uint64]int{}, c.furniture()
	for i := range c.states {
		s := c.sketches[c.states[i].Text]
		if c.kinds[i] != Page || c.states[i].Failed || s == nil {
			continue
		}
		if n := len(runs); n > 0 && runs[n-1].sketch == s {
			runs[n-1].last = i
			continue
		}
		if _, ok := words[s.ID]; !ok {
			words[s.ID] = c.own(s, furniture)
		}
		runs = append(runs, showing{sketch: s, own: words[s.ID], first: i, last: i})
	}
	return runs
}

// failWalls marks what says that it is not the page, and what says nothing, beside runs that show much more.
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
		default:
			r.failed = before != nil && after != nil && r.sketch.Words*interludeShrunk <= words
		}
	})
}

// failInterludes marks what takes the place of a page again and again, or of other pages of the site too, or wants to be let
// in as the page did not, is shorter and nothing like it, while the page comes back each time.
func (c *comparer) failInterludes(runs []showing) {
	found := interludes(runs)
	for i, r := range found {
		times := 0
		for _, other := range found[max(0, i-maxInterludes):min(len(found), i+maxInterludes)] {
			if Similarity(r.sketch, other.sketch) >= likePage {
				times++
			}
		}
		r.failed = times >= minInterludes || c.site.elsewhere(r.sketch) || r.door
	}
}

// interludes returns the runs that stand between two of a page, and are none of it.
func interludes(runs []showing) (found []*showing) {
	var kept []*showing // that have not failed yet
	for i := range runs {
		if !runs[i].failed {
			kept = append(kept, &runs[i])
		}
	}
	for i := 1; i+1 < len(kept); i++ {
		a, r, b := kept[i-1].sketch, kept[i].sketch, kept[i+1].sketch
		if r.Words*interludeShrunk <= min(a.Words, b.Words) && Similarity(a, b) >= likePage &&
			Similarity(a, r) < unlikePage && Similarity(b, r) < unlikePage {
			kept[i].door = r.Enters && !a.Enters && !b.Enters
			found = append(found, kept[i])
		}
	}
	return found
}

// eachSuspect calls f for each suspect run with the nearest runs on both sides that are none, nil where there are none.
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
