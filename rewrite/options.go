package rewrite

// A Ref is a URI found in a document.
type Ref struct {
	URI string // absolute http or https URI-R, percent-encoded as a browser would send it, without fragment
	Use Use
}

// A Resolver answers what is to be written for each of the URIs that one window of a document holds: same
// length, same order, without fragment (it is put back behind the answer). An answer of "" leaves the
// bytes in the document as they are; so it must be for a URI that points into the archive already.
// The rewriter keeps neither slice; the Resolver must not keep refs, but may keep the strings.
type Resolver func(refs []Ref) []string

// Options say how a document is rewritten.
type Options struct {
	Base    string   // URI-R of the document, against which its relative URIs are read
	Use     Use      // what the document itself was asked for
	Resolve Resolver // must not be nil
	Charset string   // charset parameter of the archived Content-Type, "" if it has none
	Head    []byte   // ASCII-safe HTML put first in the head, before any script of the page; may be nil
	Banner  []byte   // HTML put before the page's own content; never in framesets or in empty documents; may be nil
	// LateBanner is called for the Banner, where that is nil, once the URIs of what is read ahead around its place
	// (nearly always the whole page) were resolved; may be nil.
	LateBanner func() []byte
	// JS wraps scripts for the client side (wombat), so that location, top, this … mean the archived page.
	// Without it scripts only get their module specifiers rewritten.
	JS bool
	// Still keeps the document from going anywhere or starting anything by itself: refreshes and autoplay are renamed with a "_"
	// in front, and iframes are given a sandbox without scripts. Its own scripts are left to a Content-Security-Policy.
	Still bool
	// WorkerScript is the URL of wombat's worker script and WorkerPrefix what it puts before a URI-R
	// ("http://HOST/web/20200101000000"). They are used where Use is a worker and JS is set.
	WorkerScript, WorkerPrefix string
	// Callback is the JSONP callback name the client asked with, "" to keep the archived one.
	Callback string
}
