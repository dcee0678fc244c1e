package visual

// Splits returns the indices of pictures, oldest first, that look importantly different from the one before. Pictures without an image are
// skipped.
func (s *Store) Splits(all []*Picture) (out []int) {
	var before *Picture
	for i, p := range all {
		if !p.HasImage() {
			continue
		}
		if before != nil && s.Compare(before, p).Important {
			out = append(out, i)
		}
		before = p
	}
	return out
}
