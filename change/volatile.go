package change

// A volatile set says which blocks change by themselves: it never makes a version at
// [LevelContent] that they do.
type volatile struct {
	masks  hashSet // of mask keys
	values hashSet // of block hashes
}

func (v *volatile) has(b *BlockSketch) bool {
	return v.values.has(b.Said) || b.Digits && v.masks.has(b.maskKey())
}

// Numbers that change are rarely more than a clock or a counter: few changes are enough, nearly every
// time. Words that change are usually content: they must come and go again and again.
const (
	minMaskChanges = 3
	minMaskPages   = 2   // of a site, on which it changes nearly every time
	restiveShare   = 0.6 // of the pages that have the mask
	minSwaps       = 2   // each way
	swapShare      = 0.5 // of the pairs that begin with the value
	minKnown       = 2   // volatile values that one seen seldom has changed places with
)

// ofPage answers from the captures of one page.
func (f *flicker) ofPage() volatile { return f.volatile(1, 1) }

// ofSite answers from the captures of many pages.
func (f *flicker) ofSite() volatile { return f.volatile(minMaskPages, restiveShare) }

func (f *flicker) volatile(pages int, share float64) volatile {
	var v volatile
	for key, t := range f.masks {
		if t.changes >= minMaskChanges && t.restive >= pages && float64(t.restive) >= share*float64(t.pages) {
			v.masks.add(key)
		}
	}
	for key, t := range f.values {
		if t.changes >= minSwaps && t.returns >= minSwaps && float64(t.changes) >= swapShare*float64(t.pairs) {
			v.values.add(key)
		}
	}
	f.addPartners(&v.values)
	for hash := range f.comers {
		v.values.add(hash)
	}
	return v
}

// addPartners adds the values that were seen too seldom to be known by themselves.
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
