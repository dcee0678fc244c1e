package banner

// A SimilarView lists captures whose text is similar to that of one capture, the most similar first.
type SimilarView struct {
	Page
	Capture CaptureLink // the one they are compared with
	Title   string      // its title
	Results []Alternative

	Calendar string // of the address
	Ways     []Way  // to what there is beside it, if Results has nothing
}
