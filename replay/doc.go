// Package replay is the engine: it takes a request apart, finds the capture that answers it, reads the
// record, rewrites it and writes the answer. It joins what the packages below it know: the index (cdx),
// the stores (warc), negotiation (memento), rewriting (rewrite), change (change) and the pages (banner).
//
// Start with [New] and [Server.Handler]; [ParsePath] is the grammar of the paths.
package replay
