package banner

// beforeClass is the look of a block's left side: gone, absent, or as it stays.
func (r DiffRow) beforeClass() string {
	switch {
	case r.Before == nil:
		return "none"
	case !changed(r.Before) && !changed(r.After):
		return "same"
	}
	return "gone"
}

// afterClass is the look of the right side; "again" repeats the left and goes where there is one column.
func (r DiffRow) afterClass() string {
	switch {
	case r.After == nil:
		return "none"
	case !changed(r.Before) && !changed(r.After) && r.Before != nil:
		return "again"
	}
	return "new"
}

// changed reports whether any piece of a block was added or deleted.
func changed(spans []Span) bool {
	for _, s := range spans {
		if s.Op != Equal {
			return true
		}
	}
	return false
}
