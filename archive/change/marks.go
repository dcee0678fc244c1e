package change

import (
	"slices"

	"github.com/varve-archive/varve/archive/content/sketch"
)

// sameButMarks reports whether two texts have the same words and differ only in case or in white space beside marks: "The" for "the",
// "here ." for "here.". Sketches don't keep words, so these must agree: how often each word occurs, the runs of words, and for each block
// that differs how many words it has and how long they are, with the same blocks around it.
func sameButMarks(a, b *sketch.Sketch) bool {
	return slices.Equal(a.Terms, b.Terms) && a.MinHash == b.MinHash && slices.EqualFunc(a.Blocks, b.Blocks, func(x, y sketch.Block) bool {
		return x.Said == y.Said || x.Region == y.Region && x.Fields-x.Marks == y.Fields-y.Marks && fits(&x, &y)
	}) && !moved(a, b)
}

// sameButSpace is [sameButMarks] at level text, where only the white space beside marks makes no difference: no diff shows it.
func sameButSpace(a, b *sketch.Sketch) bool {
	return sameButMarks(a, b) && slices.EqualFunc(a.Blocks, b.Blocks, func(x, y sketch.Block) bool {
		return x.Hash == y.Hash || x.Marks != y.Marks && x.Size+y.Marks == y.Size+x.Marks
	})
}

// fits reports whether the marks that stand alone in one of two blocks, but not in the other, make up for the bytes by which they
// differ: a space each, and a quotation mark may have two bytes more than another.
func fits(x, y *sketch.Block) bool {
	marks := int(x.Marks) - int(y.Marks)
	bytes := int(x.Size) - int(y.Size) - marks
	return max(bytes, -bytes) <= 2*max(marks, -marks)
}

// moved reports whether a block of one text stands elsewhere in the other.
func moved(a, b *sketch.Sketch) bool {
	gone := map[uint64]bool{}
	for i := range a.Blocks {
		if a.Blocks[i].Said != b.Blocks[i].Said {
			gone[a.Blocks[i].Said] = true
		}
	}
	for i := range b.Blocks {
		if a.Blocks[i].Said != b.Blocks[i].Said && gone[b.Blocks[i].Said] {
			return true
		}
	}
	return false
}
