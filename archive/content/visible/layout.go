package visible

// A Place is a block's position in lists and tables. Equal numbers stand for the same item, row or cell.
type Place struct {
	Depth int // number of lists around it
	Entry int // the innermost list item, 0 for none
	Row   int // the innermost row of a table, 0 for none
	Cell  int // the cell in that row
}

// A layout numbers the items, rows and cells of a page.
type layout struct {
	places               []Place // the first is for blocks outside of lists and tables
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

// An item says whether the current text is in a list item or table row that already had text.
type item uint8

const (
	noItem item = iota
	itemBegun
	itemRead
)

// begin notes the start tag of a block element.
func (i *item) begin(element string) {
	switch element {
	case "li", "tr", "dt", "article":
		*i = itemBegun
	}
}

// end notes the end tag of a block element.
func (i *item) end(element string) {
	switch element {
	case "li", "tr", "article", "ul", "ol", "dl", "table":
		*i = noItem
	}
}

// next reports whether the block that begins now is in the same item as the previous one.
func (i *item) next() (joined bool) {
	joined = *i == itemRead
	if *i == itemBegun {
		*i = itemRead
	}
	return joined
}
