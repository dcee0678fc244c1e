package access

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// PerCollection returns a set with separate rules for some collections, and none for others.
func PerCollection(of map[string]*Rules) *Rules {
	r := &Rules{colls: maps.Clone(of)}
	maps.DeleteFunc(r.colls, func(_ string, in *Rules) bool { return in == nil })
	h := sha256.New()
	for _, coll := range slices.Sorted(maps.Keys(r.colls)) {
		in := r.colls[coll]
		r.clocks = r.clocks || in.clocks
		r.groups = append(r.groups, in.groups...)
		fmt.Fprintf(h, "%q %s\n", coll, in.sum)
	}
	slices.Sort(r.groups)
	r.groups = slices.Compact(r.groups)
	if !r.Empty() {
		r.sum = hex.EncodeToString(h.Sum(nil)[:16])
	}
	return r
}

// In returns the rules for a collection.
func (r *Rules) In(coll string) *Rules {
	if r.colls == nil {
		return r
	}
	if in := r.colls[coll]; in != nil {
		return in
	}
	return &Rules{}
}

// Alike reports whether the rules are the same for all collections.
func (r *Rules) Alike() bool { return r.colls == nil }

// Join returns a set with all rules of some sets that are for all collections. Of equal rules the first decides.
func Join(sets ...*Rules) *Rules {
	r := &Rules{}
	for _, s := range sets {
		for _, each := range slices.Backward(s.spans) { // of equal spans, the first rule is last
			r.spans = append(r.spans, each)
		}
	}
	return r.complete()
}
