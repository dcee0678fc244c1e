package change

// A view is what of a text counts at level content.
type view struct {
	all   uint64  // hash of the text without what changes by itself
	core  uint64  // of that without furniture too, 0 where nothing is left
	units []unit  // what core is made of
	aside hashSet // the blocks that are furniture
}

// A unit is a block that counts.
type unit struct {
	hash uint64
	n    uint32 // words
}

// minOwnWords is how long a page's own text is for its title to say nothing more: sites put their name, a slogan or the
// number of messages into it.
const minOwnWords = 30

func (c *comparer) view(s *Sketch) *view {
	v := new(view)
	title, words := unit{}, uint32(0)
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if c.volatile.has(b) || c.site.volatileBlock(b) {
			continue
		}
		u := unit{b.Hash, b.Fields}
		if b.Stamp {
			u = unit{uint64(b.Mask), 1}
		}
		switch {
		case b.Region == Title:
			if title.n == 0 {
				title = u
			}
			continue
		case c.site.furnitureBlock(b):
			v.aside.add(b.Hash)
		default:
			v.units = append(v.units, u)
			words += u.n
		}
		v.all = concatHash(v.all, u.hash, u.n)
	}
	if title.n > 0 && words < minOwnWords {
		v.units = append(v.units, title)
		v.all = concatHash(v.all, title.hash, title.n)
	}
	v.core = hashUnits(v.units, nil)
	return v
}

// hashUnits returns the hash of what the units say, those in without aside.
func hashUnits(units []unit, without *hashSet) (h uint64) {
	for _, u := range units {
		if without == nil || !without.has(u.hash) {
			h = concatHash(h, u.hash, u.n)
		}
	}
	return h
}

// same reports whether two texts say the same. What is furniture in one of them is none of the other's content.
func (v *view) same(w *view) bool {
	if v.all == w.all || v.core == w.core && v.core != 0 {
		return true
	}
	h := hashUnits(v.units, &w.aside)
	return h != 0 && h == hashUnits(w.units, &v.aside)
}
