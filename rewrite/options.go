package rewrite

// A Ref is a URI found in a document.
type Ref struct {
	URI string // absolute http or https URI-R, percent-encoded as a browser would send it, without fragment
	Use Use
	// Embedded says that a browser that shows the document loads it: not one of several candidates, nor what a script or a style
	// sheet may ask for.
	Embedded bool
}

// A Resolver returns what to write for each of the URIs in one window of a document: as many as in refs, in the same
// order, and without a fragment, which is put back after the answer. An answer of "" leaves the bytes in the document
// as they are; it must be "" for a URI that already points into the archive. The rewriter keeps neither slice. The
// Resolver must not keep refs, but may keep the strings.
type Resolver func(refs []Ref) []string

// Options say how a document is rewritten.
type Options struct {
	Base    string   // URI-R of the document, the base of its relative URIs
	Use     Use      // what the document itself was requested for
	Resolve Resolver // must not be nil
	Charset string   // charset parameter of the archived Content-Type, "" if it has none
	Head    []byte   // ASCII-safe HTML put first in the head, before any script of the page; may be nil
	Banner  []byte   // HTML put before the page's own content, but never into framesets or empty documents; may be nil
	// LateBanner returns the Banner if that is nil. It is called once the URIs of what is read ahead around the
	// banner's place (nearly always the whole page) are resolved; may be nil.
	LateBanner func() []byte
	// JS prepares scripts for the client side (wombat), so that location, top, this … mean the archived page. Without
	// it only the module specifiers of scripts are rewritten.
	JS bool
	// Spelling writes into a page how its references were written, where the answers of Resolve do not tell: for scripts. It takes answers
	// that are paths.
	Spelling bool
	// Still keeps the document from navigating or starting anything by itself: refreshes and autoplay are renamed with
	// a leading "_", and iframes get a sandbox without scripts. A Content-Security-Policy has to stop its own scripts.
	Still bool
	// WorkerStart is a statement that begins every script of a worker, to prepare it for the client side. It is written if Use
	// is a worker and JS is set: behind the directives, before anything else.
	WorkerStart string
	// Callback is the name of the JSONP callback that the client asked for, or "" to keep the archived one.
	Callback string
}
