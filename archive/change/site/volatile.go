package site

import (
	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// A Volatile is a set of volatile blocks. Their changes never make a version at level content.
type Volatile struct {
	masks  hashing.Set // of mask keys
	values hashing.Set // of block hashes
	// Wordings are pairs of long blocks of the page's own text that alternate. Both carry meaning, so neither is volatile.
	Wordings [][2]uint64
}

// Has reports whether a block is volatile.
func (v *Volatile) Has(b *sketch.Block) bool {
	return v.values.Has(b.NormalHash) || b.Digits && v.masks.Has(b.MaskKey())
}

// Numbers that change are usually a clock or a counter, so a few changes are enough if they come nearly every time.
// Words that change are usually content, so they must come and go repeatedly.
const (
	minMaskChanges  = 3
	minAgain        = 2   // of a site: changes of one block on one page
	minFlickering   = 2   // of a site: pages on which a block is volatile
	flickeringShare = 0.6 // of the pages that have the mask
	minSwaps        = 2   // each way
	minRotation     = 4   // values that a site rotates, each perhaps once a page
	swapShare       = 0.5 // of the pairs that begin with the value
	minKnown        = 2   // volatile values that a rarely seen value was swapped with
)

// VolatileOf learns from the captures of one page, in time order, equal neighbours included.
func VolatileOf(captures []*sketch.Sketch) Volatile {
	f := newFlicker()
	f.watch(captures)
	v := f.ofPage()
	f.findWordings(&v)
	return v
}

// ofPage returns what is volatile on one page.
func (f *flicker) ofPage() Volatile { return f.volatile(minMaskChanges, 1, 1) }

// ofSite returns what is volatile on many pages.
func (f *flicker) ofSite() Volatile { return f.volatile(minAgain, minFlickering, flickeringShare) }

// volatile returns the volatile blocks. A block with numbers must have changed at least again times on a page, and nearly every time on at
// least pages pages and the given share of the pages that have it.
func (f *flicker) volatile(again, pages int, share float64) Volatile {
	f.sum()
	var v Volatile
	for key, t := range f.masks {
		if t.changes >= minMaskChanges && t.again >= again && t.flickering >= pages && float64(t.flickering) >= share*float64(t.pages) {
			v.masks.Add(key)
		}
	}
	for key, t := range f.values {
		if t.changes >= minSwaps && t.returns >= minSwaps && t.rotates(pages) && float64(t.changes) >= swapShare*float64(t.pairs) {
			v.values.Add(key)
		}
	}
	f.addPartners(&v.values)
	for hash, n := range f.comeAndGo {
		if n >= pages && float64(n) >= share*float64(f.turned[hash]) {
			v.values.Add(hash)
		}
	}
	return v
}

// findWordings moves long blocks of which just two alternate from the volatile ones to Wordings.
func (f *flicker) findWordings(v *Volatile) {
	for said := range f.values {
		if other := f.partner(v, said); said < other && f.partner(v, other) == said {
			v.Wordings = append(v.Wordings, [2]uint64{said, other})
		}
	}
	for _, pair := range v.Wordings {
		v.values.Remove(pair[0])
		v.values.Remove(pair[1])
	}
}

// partner returns the only volatile value with which a long one alternates, 0 if there are none or several.
func (f *flicker) partner(v *Volatile, said uint64) (other uint64) {
	t := f.values[said]
	if t == nil || t.words <= maxVariant || !v.values.Has(said) {
		return 0
	}
	for _, w := range t.with {
		if v.values.Has(w) {
			if other != 0 {
				return 0
			}
			other = w
		}
	}
	return other
}

// rotates reports whether a value went and came back on enough pages, or is one of many values that replace each other.
func (t *tally) rotates(pages int) bool {
	return t.rotating >= pages || len(t.with) >= minRotation
}

// addPartners adds values that were seen too rarely, but were swapped with volatile ones.
func (f *flicker) addPartners(values *hashing.Set) {
	var more []uint64
	for key, t := range f.values {
		known := 0
		for _, w := range t.with {
			if values.Has(w) {
				known++
			}
		}
		if known >= minKnown && float64(t.changes) >= swapShare*float64(t.pairs) {
			more = append(more, key)
		}
	}
	for _, key := range more {
		values.Add(key)
	}
}
