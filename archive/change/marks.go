package change

import (
	"slices"

	"github.com/varve-archive/varve/archive/content/sketch"
)

// sameButMarks reports whether two texts have the same words in the same order and differ only in case or in white space around
// punctuation and signs: "The" for "the", "here ." for "here.", "5 %" for "5%". Punctuation that is added or removed is a change, so the
// lengths of blocks must correspond.
func sameButMarks(a, b *sketch.Sketch) bool {
	return a.Order == b.Order && a.Order != 0 && slices.EqualFunc(a.Blocks, b.Blocks, func(x, y sketch.Block) bool {
		return x.NormalHash == y.NormalHash || x.Region == y.Region &&
			(x.Fields-x.Marks == y.Fields-y.Marks && fits(&x, &y) || x.Fields != y.Fields && x.Size-x.Fields == y.Size-y.Fields)
	})
}

// sameButSpace is [sameButMarks] for level text, where only white space around punctuation is ignored, because no diff shows it.
func sameButSpace(a, b *sketch.Sketch) bool {
	return sameButMarks(a, b) && slices.EqualFunc(a.Blocks, b.Blocks, func(x, y sketch.Block) bool {
		return x.Hash == y.Hash || x.Marks != y.Marks && x.Size+y.Marks == y.Size+x.Marks
	})
}

// fits reports whether the difference in length of two blocks is explained by punctuation marks that stand alone in only one of them: one
// byte for each space, and up to two for another quotation mark.
func fits(x, y *sketch.Block) bool {
	marks := int(x.Marks) - int(y.Marks)
	bytes := int(x.Size) - int(y.Size) - marks
	return max(bytes, -bytes) <= 2*max(marks, -marks)
}
