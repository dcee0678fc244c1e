package change

import (
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// A view is the part of a text that counts at level content.
type view struct {
	all  uint64 // hash of the text without volatile blocks
	core uint64 // the same without furniture, 0 if nothing is left
}

// minOwnWords is the length of own text from which on the title is ignored: sites put their name, a slogan or a number of messages into it.
const minOwnWords = 30

// view reduces a text to what counts, without the blocks whose hashes are in aside. If whole is true, punctuation counts too.
func (c *comparer) view(s *sketch.Sketch, aside map[uint64]bool, whole bool) view {
	var v view
	var title *sketch.Block
	var items bag
	words, listed := uint32(0), false
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if !b.Joined {
			items.end()
			listed = c.unordered[b.Slot]
		}
		switch {
		case c.volatile.Has(b) || c.site.VolatileBlock(b):
		case b.Region == visible.Title:
			if title == nil {
				title = b
			}
		case c.site.FurnitureBlock(b) || aside[b.NormalHash]:
			v.all = b.AddTo(v.all, whole)
		case listed:
			items.add(b, whole)
			words += b.Fields
		default:
			v.all, v.core = b.AddTo(v.all, whole), b.AddTo(v.core, whole)
			words += b.Fields
		}
	}
	v.all, v.core = items.addTo(v.all), items.addTo(v.core)
	if title != nil && words < minOwnWords {
		v.all, v.core = title.AddTo(v.all, whole), title.AddTo(v.core, whole)
	}
	return v
}

// viewOf returns the view of a text, and keeps it.
func (c *comparer) viewOf(s *sketch.Sketch) view {
	v, ok := c.views[s.ID]
	if !ok {
		v = c.view(s, nil, false)
		c.views[s.ID] = v
	}
	return v
}

// sameText reports whether two texts say the same. A block that is furniture in one text is not content of the other: a page that gains or
// loses a container is divided differently but has the same words.
func (c *comparer) sameText(a, b *sketch.Sketch) bool {
	v, w := c.viewOf(a), c.viewOf(b)
	if v.all == w.all || v.core == w.core && v.core != 0 {
		return true
	}
	whole := a.Older != b.Older
	v, w = c.view(a, c.furnitureOf(b, a), whole), c.view(b, c.furnitureOf(a, b), whole)
	return v.core != 0 && v.core == w.core
}

// furnitureOf returns the blocks that are furniture more often in s than in other. Furniture that both have doesn't count: a paragraph may
// repeat the menu, and may be deleted.
func (c *comparer) furnitureOf(s, other *sketch.Sketch) map[uint64]bool {
	times := map[uint64]int{}
	c.eachFurniture(s, func(b *sketch.Block) { times[b.NormalHash]++ })
	c.eachFurniture(other, func(b *sketch.Block) { times[b.NormalHash]-- })
	aside := map[uint64]bool{}
	for said, n := range times {
		if n > 0 {
			aside[said] = true
		}
	}
	return aside
}

func (c *comparer) eachFurniture(s *sketch.Sketch, do func(*sketch.Block)) {
	for i := range s.Blocks {
		if b := &s.Blocks[i]; c.site.FurnitureBlock(b) {
			do(b)
		}
	}
}
