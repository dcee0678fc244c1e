// Package edit collects the changes to a document while a rewriter reads it, and writes the changed document. The references of
// each window are resolved in one call.
package edit
