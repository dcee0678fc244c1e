// Package data reads the text of documents that aren't pages: JSON, tables (CSV), XML of any kind, and Markdown.
//
// Files may be hostile. Output and nesting are bounded. Beyond these bounds, or after a syntax error, a document has the text that was read
// before; JSON goes on as it is written. Entities that a file declares are not expanded.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package data
