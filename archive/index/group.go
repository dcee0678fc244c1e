package index

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A key costs the store some microseconds, however small its value is, and the versions of a page share most of their bands. So a Writer
// writes texts with the same hash in a band as one group. A text may be in several groups for the same band and hash, because every Writer
// that finds the text writes it.

// maxHeldBands is how many bands a Writer sorts before it writes them, 16 bytes each. More bands make fewer groups, and
// the store takes sorted keys in half the time.
const maxHeldBands = 1 << 16

// A heldBand is a text with its hash in one band.
type heldBand struct {
	at   bandHash
	text uint64
}

func (b heldBand) compare(o heldBand) int {
	if b.at != o.at {
		return cmp.Compare(b.at, o.at)
	}
	return cmp.Compare(b.text, o.text)
}

// sortBands sorts bands and drops duplicates.
func sortBands(held []heldBand) []heldBand {
	slices.SortFunc(held, heldBand.compare)
	return slices.Compact(held)
}

// sameBand returns how many bands at the beginning of held, which is not empty, have the same hash as the first.
func sameBand(held []heldBand) int {
	n := 1
	for n < len(held) && held[n].at == held[0].at {
		n++
	}
	return n
}

func (w *Writer) putBands() error {
	var texts []uint64
	for held := sortBands(w.bands); len(held) > 0; {
		n := min(sameBand(held), MaxTextGroup)
		texts = texts[:0]
		for _, b := range held[:n] {
			texts = append(texts, b.text)
		}
		if err := putGroup(w.batch, w.coll, held[0].at, texts); err != nil {
			return err
		}
		held = held[n:]
	}
	w.bands = w.bands[:0]
	return nil
}

// putGroup writes a group of texts, which are sorted and unique. Its key is derived from the texts, so the same group
// always gets the same key and no other group overwrites it.
func putGroup(b kv.Batch, coll string, at bandHash, texts []uint64) error {
	if len(texts) == 1 {
		return b.Set(groupKey(coll, at, texts[0]), nil)
	}
	v := encodeGroup(texts)
	return b.Set(groupKey(coll, at, xxh3.Hash(v)), v)
}

func encodeGroup(texts []uint64) []byte {
	v := make([]byte, 0, 8*len(texts))
	for _, id := range texts {
		v = binary.BigEndian.AppendUint64(v, id)
	}
	return v
}

// readGroup appends the texts of the group at the cursor. band is the part of its key before the group.
func readGroup(texts []uint64, cur kv.Cursor, band []byte) ([]uint64, error) {
	err := cur.Value(func(v []byte) (err error) {
		texts, err = splitGroup(texts, cur.Key()[len(band):], v)
		return err
	})
	return texts, err
}

const errShortGroup = sentinel.Error("index: a group of texts is cut short")

// splitGroup appends the texts of a group, given the last part of its key and its value. A group without a value
// consists of the one text in its key.
func splitGroup(texts []uint64, name, v []byte) ([]uint64, error) {
	if len(name) != groupLen || len(v)%8 != 0 {
		return texts, errShortGroup
	}
	if len(v) == 0 {
		v = name
	}
	for ; len(v) > 0; v = v[8:] {
		texts = append(texts, binary.BigEndian.Uint64(v))
	}
	return texts, nil
}
