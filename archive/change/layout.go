package change

// A Place is where a block is in lists and tables. Equal numbers mean the same one.
type Place struct {
	Depth int // number of lists around it
	Entry int // the innermost list item, 0 for none
	Row   int // the innermost row of a table, 0 for none
	Cell  int // the cell in that row
}

// A layout numbers the items, rows and cells of a page.
type layout struct {
	places               []Place // the first is for what is in none
	entries, rows, cells int
}

func (l *layout) reset() { *l = layout{places: append(l.places[:0], Place{})} }

func (l *layout) at(place int32) Place { return l.places[place] }

// within returns the place of an element's content, given the place of the element.
func (l *layout) within(place int32, element string) int32 {
	at := l.places[place]
	switch element {
	case "li":
		l.entries++
		at.Depth, at.Entry = at.Depth+1, l.entries
	case "tr":
		l.rows++
		at = Place{Row: l.rows}
	case "td", "th":
		l.cells++
		at.Cell = l.cells
	default:
		return place
	}
	l.places = append(l.places, at)
	return int32(len(l.places) - 1)
}
