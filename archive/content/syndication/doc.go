// Package syndication reads the text of feed documents: RSS in its versions, with RDF too, Atom and JSON Feed.
//
// Files may be hostile. Entities that a file declares are not expanded, and a document has the text that was read before it becomes
// malformed, or too long, or nested too deep.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package syndication
