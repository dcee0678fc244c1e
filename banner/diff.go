package banner

// beforeClass returns the CSS class of a block's left side: deleted, absent, moved or unchanged.
func (r DiffRow) beforeClass() string {
	switch {
	case r.Before == nil:
		return "none"
	case moved(r.Before):
		return "moved"
	case !changed(r.Before) && !changed(r.After):
		return "same"
	}
	return "gone"
}

// afterClass returns the CSS class of the right side. "again" repeats the left side and is hidden if there is one
// column.
func (r DiffRow) afterClass() string {
	switch {
	case r.After == nil:
		return "none"
	case moved(r.After):
		return "moved"
	case !changed(r.Before) && !changed(r.After) && r.Before != nil:
		return "again"
	}
	return "new"
}

// moved reports whether a block is elsewhere on the other side.
func moved(spans []Span) bool { return len(spans) > 0 && spans[0].Op == Moved }

// changed reports whether any part of a block was added or deleted.
func changed(spans []Span) bool {
	for _, s := range spans {
		if s.Op != Equal {
			return true
		}
	}
	return false
}

// foundIn returns the first row that deletes or adds something the reader looks for, else the first changed row that
// contains it, else -1.
func foundIn(rows []DiffRow) int {
	near := -1
	for i, r := range rows {
		marked := false
		for _, s := range append(r.Before[:len(r.Before):len(r.Before)], r.After...) {
			if s.Mark && s.Op != Equal {
				return i
			}
			marked = marked || s.Mark
		}
		if near < 0 && marked && (changed(r.Before) || changed(r.After)) {
			near = i
		}
	}
	return near
}
