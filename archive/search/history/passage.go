package history

// Sizes bound the lengths of passages, in words. Shorter passages are shared by more versions; longer ones make lists shorter.
type Sizes struct {
	Least int // the minimum, unless the text ends
	Often int // long blocks are cut after about so many words on average; a power of two
	Most  int // the maximum
}

// DefaultSizes suit pages of articles as well as pages of menus.
var DefaultSizes = Sizes{Least: 12, Often: 64, Most: 256}

// blockEnds is the share of block ends at which a passage may end: one in so many. Menus have many blocks of a word or two.
const blockEnds = 2

// A cutter decides where passages end. It depends only on the words since the last cut.
type cutter struct {
	Sizes
	words int    // since the last cut
	last  uint64 // hash of the previous word
}

// after takes the hash of the next word and reports whether a passage ends after it. end says that the word ends a block.
func (c *cutter) after(hash uint64, end bool) bool {
	c.words++
	mixed := (hash ^ c.last*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93 >> 32
	c.last = hash
	often := uint64(c.Often)
	if end {
		often = blockEnds
	}
	if c.words < c.Least || c.words < c.Most && mixed%often != 0 {
		return false
	}
	c.words = 0
	return true
}
