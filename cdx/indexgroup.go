package cdx

import (
	"cmp"
	"slices"
)

// maxHeldBands is how many bands are put in order before they are written, 16 bytes each: the store takes keys in
// order in half the time.
const maxHeldBands = 1 << 16

// A heldBand is what the key of a band is made of.
type heldBand struct {
	at   uint64 // the band's number, and in the lower half its hash
	text uint64
}

// compare orders bands as their keys.
func (b heldBand) compare(o heldBand) int {
	if b.at != o.at {
		return cmp.Compare(b.at, o.at)
	}
	return cmp.Compare(b.text, o.text)
}

func (w *Writer) putBands() error {
	slices.SortFunc(w.bands, heldBand.compare)
	keys := make([]byte, 0, len(w.bands)*(len(w.coll)+bandKeyLen))
	for _, b := range w.bands {
		start := len(keys)
		keys = appendBandKey(keys, w.coll, int(b.at>>32), uint32(b.at), b.text)
		if err := w.batch.Set(keys[start:len(keys):len(keys)], nil); err != nil {
			return err
		}
	}
	w.bands = w.bands[:0]
	return nil
}
