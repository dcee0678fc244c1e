// Package catalogue holds a summary of every address of a collection in memory, ordered by key, packed into some hundred bytes each. So
// lists in any order, and numbers about a whole collection, need no walk over captures.
//
// Start with [Builder] and [Catalogue]. Package holdings creates catalogues and decides when to count again.
//
// Stability: internal to archive.
package catalogue
