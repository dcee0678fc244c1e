package uses

// A Ref is a URI found in a document.
type Ref struct {
	URI string // absolute http or https URI-R, percent-encoded as a browser would send it, without fragment
	Use Use
	// Embedded says that a browser loads the URI in order to show the document. It is false for one of several candidates, and for
	// what a script or a style sheet may ask for.
	Embedded bool
}

// A Resolver returns what to write for each of the URIs in one window of a document. The answers have the length and order of refs,
// and no fragment: the rewriter appends that. An answer of "" leaves the bytes in the document as they are; it must be "" for a URI
// that already points into the archive. The rewriter keeps neither slice. The Resolver must not keep refs, but may keep the
// strings.
type Resolver func(refs []Ref) []string
