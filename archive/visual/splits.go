package visual

// Splits returns the indices of pictures, oldest first, at which the eye sees something else than before that matters. Those without an
// image say nothing.
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
