package rewrite

import "github.com/varve-archive/varve/rewrite/uses"

// Options say how a document is rewritten.
type Options struct {
	Base    string        // URI-R of the document, the base of its relative URIs
	Use     uses.Use      // what the document itself was requested for
	Resolve uses.Resolver // must not be nil
	Charset string        // charset parameter of the archived Content-Type, "" if it has none
	Head    []byte        // ASCII-safe HTML put first in the head, before any script of the page; may be nil
	Banner  []byte        // HTML put before the page's own content, but never into empty documents; may be nil
	// LateBanner returns the Banner if Banner is nil. It is called when the URIs of the window that contains the banner's place
	// (nearly always the whole page) are resolved; may be nil.
	LateBanner func() []byte
	// FramesetBanner returns what takes the place of the Banner before a frameset, beside which browsers ignore most elements, and before a
	// script that mentions one. It is called as LateBanner is; if it is nil, framesets have no banner.
	FramesetBanner func() []byte
	// JS prepares scripts for the client side (wombat), so that location, top, this … mean the archived page. Without
	// it only the module specifiers of scripts are rewritten.
	JS bool
	// Spelling keeps the original spelling of references for scripts, in URI-Ms from which it can't be derived. The answers of
	// Resolve must be paths.
	Spelling bool
	// Server is the scheme and the host of the archive. It is written before answers of Resolve that are paths where browsers understand none:
	// in data: URLs, and in what an XSLT style sheet imports. If it is empty, the answers stay as they are.
	Server string
	// Still keeps the document from navigating or starting anything by itself: refreshes and autoplay are renamed with a leading
	// "_", and iframes get a sandbox without scripts. A Content-Security-Policy has to stop the document's own scripts.
	Still bool
	// WorkerStart is a statement that begins every script of a worker, behind its directives, to prepare it for the client side. It
	// is written if Use is a worker and JS is set.
	WorkerStart string
	// Callback is the name of the JSONP callback that the client asked for, or "" to keep the archived one.
	Callback string
}
