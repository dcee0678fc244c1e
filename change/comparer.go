package change

// A comparer decides at one level whether two captures of a URI-R show the same.
type comparer struct {
	level    Level
	states   []State
	kinds    []Kind
	failed   []bool // captures that did not show the page; only level content has them
	sketches map[uint64]*Sketch
	site     *Site
	volatile volatile
	views    map[uint64]view
}

func newComparer(level Level, states []State, src Source, site *Site) (*comparer, error) {
	c := &comparer{level: level, states: states, site: site, sketches: map[uint64]*Sketch{}}
	if err := c.load(src); err != nil {
		return nil, err
	}
	c.kinds = c.findKinds()
	c.failed = make([]bool, len(states))
	if level == LevelContent {
		c.findFailed()
		c.prepareViews()
	}
	return c, nil
}

// load gets each text from src once.
func (c *comparer) load(src Source) error {
	for i := range c.states {
		id := c.states[i].Text
		if i > 0 && c.states[i-1].Text == id {
			continue
		}
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

// findKinds returns the kind of each capture; a soft 404 counts as missing.
func (c *comparer) findKinds() []Kind {
	kinds := make([]Kind, len(c.states))
	var before *Sketch // the page's last real text
	for i := range c.states {
		s := &c.states[i]
		kinds[i] = s.kind()
		if kinds[i] != Page || s.Failed || before != nil && before.ID == s.Text {
			continue
		}
		sketch := c.sketches[s.Text]
		switch {
		case sketch == nil:
		case c.site.soft404(sketch, before):
			kinds[i] = Missing
		default:
			before = sketch
		}
	}
	return kinds
}

// prepareViews finds what changes by itself on this page and reduces each text to what counts.
func (c *comparer) prepareViews() {
	pages := make([]*Sketch, 0, len(c.states))
	for i := range c.states {
		if c.kinds[i] != Page || c.states[i].Failed {
			continue
		}
		if n := len(pages); n > 0 && pages[n-1].ID == c.states[i].Text {
			pages = append(pages, pages[n-1])
		} else if s := c.sketches[c.states[i].Text]; s != nil {
			pages = append(pages, s)
		}
	}
	f := newFlicker()
	f.watch(pages)
	c.volatile = f.ofPage()
	c.views = map[uint64]view{}
	for i, s := range pages {
		if i > 0 && pages[i-1] == s {
			continue
		}
		if _, ok := c.views[s.ID]; !ok {
			c.views[s.ID] = c.view(s, nil, false)
		}
	}
}

// same reports whether nothing that matters changed from capture i to capture j.
func (c *comparer) same(i, j int) bool {
	a, b := &c.states[i], &c.states[j]
	if c.kinds[i] != c.kinds[j] || a.Status != b.Status {
		return false
	}
	switch c.kinds[i] {
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
	switch {
	case c.level == LevelAny:
		return a.Digest == b.Digest
	case a.Text == b.Text:
		return true
	case c.level == LevelText:
		return false
	}
	return c.sameText(c.sketches[a.Text], c.sketches[b.Text])
}
