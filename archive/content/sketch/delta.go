package sketch

// A Delta says by how much a text differs from the one before it.
type Delta struct {
	// Added counts the terms that only the newer text has, Deleted those that only the older one has, SemiDeleted those
	// that both have but the newer one fewer times. A term is a distinct UAX #29 word in lower case.
	Added, Deleted, SemiDeleted int
	// Pictures counts pictures with another content. [Compare] doesn't set it.
	Pictures int
	// Similarity is the result of [Similarity], at most [NearlySame] unless the texts have the same words.
	Similarity float64
}

// NearlySame is the greatest similarity of texts that differ.
const NearlySame = 0.999

// Compare returns how b, the newer text, differs from a.
func Compare(a, b *Sketch) Delta {
	d := Delta{Similarity: Similarity(a, b)}
	if !a.SaysSame(b) {
		d.Similarity = min(d.Similarity, NearlySame)
	}
	i, j := 0, 0
	for i < len(a.Terms) && j < len(b.Terms) {
		x, y := a.Terms[i], b.Terms[j]
		switch {
		case x.Hash < y.Hash:
			d.Deleted++
			i++
		case x.Hash > y.Hash:
			d.Added++
			j++
		default:
			if y.Count < x.Count {
				d.SemiDeleted++
			}
			i++
			j++
		}
	}
	d.Deleted += len(a.Terms) - i
	d.Added += len(b.Terms) - j
	return d
}

// Similarity returns how alike two texts are, from 0 to 1: the Jaccard coefficient, estimated, of the word 5-shingles
// of their own content. Furniture counts only for pages that have nothing else, and digits do not count at all.
func Similarity(a, b *Sketch) float64 {
	if a.ID == b.ID || a.Core == b.Core && a.Core != 0 {
		return 1
	}
	return a.MinHash.Jaccard(&b.MinHash)
}
