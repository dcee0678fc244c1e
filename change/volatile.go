package change

// A volatile set says which blocks change by themselves. Their changes never make a version at [LevelContent].
type volatile struct {
	masks  hashSet // of mask keys
	values hashSet // of block hashes
}

func (v *volatile) has(b *BlockSketch) bool {
	return v.values.has(b.Said) || b.Digits && v.masks.has(b.maskKey())
}

// Numbers that change are usually a clock or a counter, so a few changes are enough if they come nearly every time.
// Words that change are usually content, so they must come and go repeatedly.
const (
	minMaskChanges  = 3
	minFlickering   = 2   // of a site, pages on which a block changes by itself
	flickeringShare = 0.6 // of the pages that have the mask
	minSwaps        = 2   // each way
	swapShare       = 0.5 // of the pairs that begin with the value
	minKnown        = 2   // volatile values with which a rarely seen one was swapped
)

// ofPage decides from the captures of one page.
func (f *flicker) ofPage() volatile { return f.volatile(1, 1) }

// ofSite decides from the captures of many pages.
func (f *flicker) ofSite() volatile { return f.volatile(minFlickering, flickeringShare) }

func (f *flicker) volatile(pages int, share float64) volatile {
	var v volatile
	for key, t := range f.masks {
		if t.changes >= minMaskChanges && t.flickering >= pages && float64(t.flickering) >= share*float64(t.pages) {
			v.masks.add(key)
		}
	}
	for key, t := range f.values {
		if t.changes >= minSwaps && t.returns >= minSwaps && float64(t.changes) >= swapShare*float64(t.pairs) {
			v.values.add(key)
		}
	}
	f.addPartners(&v.values)
	for hash, n := range f.comeAndGo {
		if n >= pages {
			v.values.add(hash)
		}
	}
	return v
}

// addPartners adds values that were seen too rarely to be recognized by themselves.
func (f *flicker) addPartners(values *hashSet) {
	var more []uint64
	for key, t := range f.values {
		known := map[uint64]bool{}
		for _, w := range t.with {
			if values.has(w) {
				known[w] = true
			}
		}
		if !values.has(key) && len(known) >= minKnown && float64(t.changes) >= swapShare*float64(t.pairs) {
			more = append(more, key)
		}
	}
	for _, key := range more {
		values.add(key)
	}
}
