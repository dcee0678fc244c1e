// Package syndication reads the text of feeds: RSS in all versions, including RDF, Atom and JSON Feed.
//
// Files may be hostile. Entities that a file declares are not expanded. If a document is malformed, too long, or nested too deep, it has
// the text that was read up to there.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package syndication
