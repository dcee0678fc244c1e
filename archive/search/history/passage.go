package history

// Sizes say how long passages are, in words. Shorter ones are shared by more versions, longer ones need shorter lists.
type Sizes struct {
	Least int // a passage has at least so many, unless the text ends
	Often int // a long block is cut once in about so many, a power of two
	Most  int // a passage has at most so many
}

// DefaultSizes keep both the passages and the lists of the versions short on pages of articles and of menus.
var DefaultSizes = Sizes{Least: 12, Often: 64, Most: 256}

// blockEnds is the share of the ends of blocks at which a passage may end: one in so many. Menus have many blocks of a
// word or two.
const blockEnds = 2

// A cutter decides where passages end. It looks at nothing but the words since the last cut.
type cutter struct {
	Sizes
	words int    // since the last cut
	last  uint64 // hash of the word before
}

// after takes a word by its hash, and reports whether a passage ends after it. end says that a block ends there.
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
