package visible

import (
	"strings"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/hashing"
)

// A Text is the visible text of a page in document order, white space collapsed.
type Text struct {
	// Title is the text of the first title element, "" if there is none.
	Title string
	// Blocks hold the title and then the text of the body, divided where the page begins a new paragraph, heading, list
	// item, table cell or the like. None is empty.
	Blocks []Block

	// Pictures are those in the page's own text, in document order.
	Pictures []Picture

	all      string
	room     []byte  // the memory of all
	memory   *Memory // of the Extractor, may be nil
	Address  Address // the address that the page gives itself
	Enters   bool    // something on the page asks to log in or to register
	Forwards bool    // the page redirects to another by itself
	// kept caches the words of each block with its passage; nil for blocks outside of passages.
	kept []*atomic.Value
}

// A Block is a run of text that the page shows as a unit.
type Block struct {
	// Text has single spaces between words and none at the ends.
	Text string
	// Region is the part of the page in which the block is.
	Region Region
	// Links is the share of the text in links, from 0 to 1.
	Links float32
	// Heading is 1 to 6 for h1 to h6, else 0.
	Heading uint8

	// Place is where it is in lists and tables, if the Extractor's Layout is set.
	Place Place

	Joined bool   // it is in the list item or row that the block before is in
	Slot   uint32 // hash of the innermost block element with its class and id, without digits
}

// ID identifies the visible text and the properties of its mark-up that its [Sketch] depends on. It equals the ID of the sketch, and is
// much cheaper to compute.
func (t *Text) ID() uint64 {
	h := hashing.Pair(xxh3.HashString(t.all), uint64(t.Address)<<2|uint64(hashing.Bit(t.Forwards))<<1|uint64(hashing.Bit(t.Enters)))
	for i := range t.Blocks {
		b := &t.Blocks[i]
		h = hashing.Mix(h ^ uint64(b.Slot)<<32 ^ uint64(len(b.Text)))
		h = hashing.Mix(h ^ uint64(b.Region)<<2 ^ uint64(hashing.Bit(b.Joined))<<1 ^ uint64(hashing.Bit(b.MayName())))
	}
	for _, p := range t.Pictures {
		h = hashing.Mix(h ^ xxh3.HashString(p.Address) ^ uint64(p.After))
	}
	return hashing.NonZero(h)
}

// MayName reports whether a block may tell what the page is: its title or a main heading.
func (b *Block) MayName() bool { return b.Region == Title || b.Heading == 1 || b.Heading == 2 }

// SiteName returns the part of the title beside the page's headline, such as the name of the site, or "" if no headline is one end of the
// title.
func (t *Text) SiteName() string {
	for i := range t.Blocks {
		b := &t.Blocks[i]
		if b.Heading > 0 && b.MayName() && b.Region == Main {
			if name := withoutEnd(t.Title, strings.TrimFunc(b.Text, isSign)); name != "" {
				return name
			}
		}
	}
	return ""
}

// Memory returns the memory of the Extractor that read the text, nil if it has none.
func (t *Text) Memory() *Memory { return t.memory }

// WordCache returns the place for caching what is computed from the words of block i, with its passage; nil if there is none.
func (t *Text) WordCache(i int) *atomic.Value {
	if i < len(t.kept) {
		return t.kept[i]
	}
	return nil
}

// Size is the length of the visible text in bytes.
func (t *Text) Size() int { return len(t.all) }

// String returns the visible text: the blocks with single spaces between them.
func (t *Text) String() string { return t.all }
