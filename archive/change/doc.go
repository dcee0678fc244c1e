// Package change finds what changed between captures of a page.
//
// [Ranges] computes the validity ranges of a URI-R from the sketches of its captures in time order, at one of three levels.
// A Site, which package site learns, says what repeats and what changes by itself on the pages of a host. Texts are read by package
// visible and reduced by package sketch. Package diff marks the words that differ; package tokenize says what a word is.
//
// A version that was once shown because words changed may only go by better evidence: what changed must be seen to change
// again, in other steps of the page, or on a site to do so on several pages. How often one step changes the same words,
// and on how many pages, is no evidence.
//
// Nothing here reads a WARC or an index: sketches come from a [Source].
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package change
