// Package data reads the text of documents that aren't pages: JSON, tables of values (CSV), XML of any kind, and Markdown.
//
// Files may be hostile. How much is written and how deep something is nested is bounded; beyond that, and behind a mistake, a document has
// the text that was read before. Entities that a file declares are not expanded.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package data
