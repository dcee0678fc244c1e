package layout

// A SpanOp says what happened to a piece of text between two captures.
type SpanOp uint8

const (
	Equal SpanOp = iota
	Deleted
	Added
	Moved  // is elsewhere on the other side
	Folded // stands for text that both captures have
)

// A Span is a piece of a text block. Mark says that it is a wanted word.
type Span struct {
	Op   SpanOp
	Text string
	Mark bool
}
