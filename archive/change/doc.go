// Package change finds what changed between captures of a page.
//
// [Ranges] computes the validity ranges of a URI-R from the sketches of its captures in time order, at a level. A Site, which package site
// learns, says which blocks repeat and which are volatile on the pages of a host. Texts are read by package visible and reduced by package
// sketch. Package diff marks the words that differ; package tokenize says what a word is.
//
// A version that was shown because words changed may only be withdrawn on better evidence: that the same words change again in other steps
// of the page, or on several pages of the site. How often one step changes the same words, and on how many pages, is no evidence.
//
// Nothing here reads a WARC or an index: sketches come from a [Source].
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package change
