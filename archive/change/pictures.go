package change

import (
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/cdx"
)

// A PictureSource is a [Source] that also knows pictures. PictureDigest returns the payload digest of the picture's capture nearest to a
// datetime, "" if there is none. The address is as the page has it.
type PictureSource interface {
	Source
	PictureDigest(address string, ts cdx.Timestamp) (string, error)
}

// A gallery has the pictures that a page showed.
type gallery struct {
	src      PictureSource // may be nil
	shown    map[galleryKey][]sketch.Shown
	restless map[uint64]bool // places that have another picture nearly every time
	err      error
}

type galleryKey struct {
	text uint64
	at   cdx.Timestamp
}

const (
	// minPictures is how many times a place must have changed its picture to be restless, minBack how many of these times an earlier picture
	// came back.
	minPictures = 3
	minBack     = 2
)

// of returns the pictures of a capture with a text.
func (g *gallery) of(s *State, text *sketch.Sketch) []sketch.Shown {
	if len(text.Pictures) == 0 {
		return nil
	}
	key := galleryKey{s.Text, s.Time}
	shown, ok := g.shown[key]
	if ok {
		return shown
	}
	shown = make([]sketch.Shown, len(text.Pictures))
	for i := range shown {
		shown[i].Picture = &text.Pictures[i]
		if g.src != nil && g.err == nil {
			shown[i].Digest, g.err = g.src.PictureDigest(shown[i].Address, s.Time)
		}
	}
	if g.shown == nil {
		g.shown = map[galleryKey][]sketch.Shown{}
	}
	g.shown[key] = shown
	return shown
}

// replaced returns the pictures that one capture shows in the place of those of another.
func (c *comparer) replaced(a, b *State) [][2]*sketch.Shown {
	x, y := c.sketches[a.Text], c.sketches[b.Text]
	if x == nil || y == nil || x.PicturesUnknown || y.PicturesUnknown {
		return nil
	}
	return sketch.Replaced(c.gallery.of(a, x), c.gallery.of(b, y))
}

// pictured returns how many places show another picture in b than in a, not counting restless places.
func (c *comparer) pictured(a, b *State) (n int) {
	for _, pair := range c.replaced(a, b) {
		if !c.gallery.restless[pair[0].Place] {
			n++
		}
	}
	return n
}

// watchPictures finds the restless places: those with another picture nearly every time, or in which some pictures alternate.
func (c *comparer) watchPictures() error {
	changes, back, pairs := map[uint64]int{}, map[uint64]int{}, map[uint64]int{}
	seen := map[[2]uint64]bool{}
	var last *State
	if len(c.states) <= minPictures {
		return nil // too few to change so often
	}
	for i := range c.states {
		s, text := &c.states[i], c.shown(i)
		if text == nil || len(text.Pictures) == 0 {
			continue
		}
		for _, p := range c.gallery.of(s, text) {
			pairs[p.Place]++
		}
		if last != nil {
			for _, pair := range c.replaced(last, s) {
				changes[pair[1].Place]++
				if seen[[2]uint64{pair[1].Place, pair[1].Name}] && pair[0].Name != pair[1].Name {
					back[pair[1].Place]++
				}
			}
		}
		for _, p := range c.gallery.of(s, text) {
			seen[[2]uint64{p.Place, p.Name}] = true
		}
		last = s
	}
	c.gallery.restless = map[uint64]bool{}
	for place, n := range changes {
		if n >= minPictures && (back[place] >= minBack || float64(n) >= nearlyEvery*float64(pairs[place]-1)) {
			c.gallery.restless[place] = true
		}
	}
	return c.gallery.err
}

// nearlyEvery is the share of its captures in which a place must change to be restless.
const nearlyEvery = 0.8
