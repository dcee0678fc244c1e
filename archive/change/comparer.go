package change

import (
	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// A comparer decides whether two captures of a URI-R show the same at one level.
type comparer struct {
	level     Level
	states    []State
	start     Carry     // before the first of them
	reals     []uint64  // after each state: [Carry.Real]
	runs      []showing // at level content
	kinds     []Kind
	failed    []bool // captures that did not show the page; found at level content only
	sketches  map[uint64]*sketch.Sketch
	site      *site.Site
	volatile  site.Volatile
	unordered map[uint32]bool // slots of unordered lists
	views     map[uint64]view
	gallery   gallery
	turns     []turn
}

func newComparer(level Level, w *Window, src Source, site *site.Site) (*comparer, error) {
	c := &comparer{level: level, states: w.States, start: w.Start, site: site, sketches: map[uint64]*sketch.Sketch{}, views: map[uint64]view{}}
	if err := c.load(src, w.Start.Real, w.Start.Page, w.In.Last.Text); err != nil {
		return nil, err
	}
	c.findKinds()
	c.failed = make([]bool, len(w.States))
	if level == LevelContent {
		c.findFailed()
		c.findVolatile()
		c.gallery.src, _ = src.(PictureSource)
		if err := c.watchPictures(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// load gets each text from src once, those of the states and some others.
func (c *comparer) load(src Source, others ...uint64) error {
	for i := range c.states {
		others = append(others, c.states[i].Text)
	}
	for _, id := range others {
		if _, ok := c.sketches[id]; ok || id == 0 {
			continue
		}
		s, err := src.Sketch(id)
		if err != nil {
			return err
		}
		c.sketches[id] = s
	}
	return nil
}

// findKinds finds the kind of each capture; a soft 404 counts as missing.
func (c *comparer) findKinds() {
	c.kinds, c.reals = make([]Kind, len(c.states)), make([]uint64, len(c.states))
	before := c.sketches[c.start.Real]
	for i := range c.states {
		c.kinds[i] = c.states[i].kind()
		switch s := c.shown(i); {
		case s == nil:
		case c.site.Soft404(s, before):
			c.kinds[i] = Missing
		default:
			before = s
		}
		if before != nil {
			c.reals[i] = before.ID
		}
	}
}

// shown returns the text that readers saw in a capture of the page, nil if there is none.
func (c *comparer) shown(i int) *sketch.Sketch {
	if c.kinds[i] != Page || c.states[i].unseen() {
		return nil
	}
	return c.sketches[c.states[i].Text]
}

// realBefore returns the page's last real text before a capture.
func (c *comparer) realBefore(i int) uint64 {
	if i == 0 {
		return c.start.Real
	}
	return c.reals[i-1]
}

// pageBefore returns the last text of the page itself before a capture.
func (c *comparer) pageBefore(i int) uint64 {
	page := c.start.Page
	for _, r := range c.runs {
		if r.first < i {
			page = r.page
		}
	}
	return page
}

// findVolatile finds what is volatile on this page.
func (c *comparer) findVolatile() {
	pages := make([]*sketch.Sketch, 0, len(c.states))
	for i := range c.states {
		if s := c.shown(i); s != nil {
			pages = append(pages, s)
		}
	}
	c.volatile, c.unordered = site.VolatileOf(pages), site.Unordered(pages)
	c.findTurns()
}

// same reports whether nothing that matters changed between a good capture a, of the given kind, and capture j.
func (c *comparer) same(a *State, kind Kind, j int) bool {
	b := &c.states[j]
	if kind != c.kinds[j] || a.Status != b.Status {
		return false
	}
	switch kind {
	case Redirect:
		return a.Redirect == b.Redirect
	case Missing, Error:
		return true
	case Resource:
		return a.Digest == b.Digest
	}
	return c.samePage(a, b)
}

func (c *comparer) samePage(a, b *State) bool {
	if c.level == LevelAny {
		return a.Digest == b.Digest
	}
	return c.sameWords(a, b) && (c.level == LevelText || c.pictured(a, b) == 0)
}

func (c *comparer) sameWords(a, b *State) bool {
	if a.Text == b.Text {
		return true
	}
	x, y := c.sketches[a.Text], c.sketches[b.Text]
	if x == nil || y == nil {
		return false
	}
	if x.SaysSame(y) {
		return true
	}
	if c.level == LevelText {
		return sameButSpace(x, y)
	}
	return c.sameText(x, y) || sameButMarks(x, y) || c.sameInTurn(x, y, a.Time)
}
