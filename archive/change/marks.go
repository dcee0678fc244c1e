package change

import (
	"slices"

	"github.com/varve-archive/varve/archive/content/sketch"
)

// sameButMarks reports whether two texts have the same words in the same order and differ only in case or in white space beside marks:
// "The" for "the", "here ." for "here.". A mark that came or went is a change: so each block that differs must have as many words, as long.
func sameButMarks(a, b *sketch.Sketch) bool {
	return a.Order == b.Order && a.Order != 0 && slices.EqualFunc(a.Blocks, b.Blocks, func(x, y sketch.Block) bool {
		return x.Said == y.Said || x.Region == y.Region && x.Fields-x.Marks == y.Fields-y.Marks && fits(&x, &y)
	})
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
