// Package catalogue holds what is known of every address of a collection, packed in memory in the order of keys, some hundred
// bytes each. So lists in any order, and what is said of a collection as a whole, cost no walk over its captures.
//
// Start at [Builder] and [Catalogue]. Where entries come from, and when they are counted again, is up to archive.
//
// Stability: internal to archive.
package catalogue
