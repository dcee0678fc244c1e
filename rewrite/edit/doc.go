// Package edit collects what to change in a document while a rewriter reads it, and writes the document with the changes made. All
// references of a part of the document are resolved at once.
package edit
