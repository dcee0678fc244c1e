package banner

import "slices"

// beforeClass is the look of a block's left side: gone, absent, or as it stays.
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

// afterClass is the look of the right side; "again" repeats the left and goes where there is one column.
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

// moved reports whether a block stands elsewhere on the other side, changed on the way or not.
func moved(spans []Span) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return s.Op == Moved })
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

// foundIn returns the first row in which something that the reader looks for went or came, else the first changed one in which
// it stands; -1 for none.
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
