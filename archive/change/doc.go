// Package change finds what changed between captures of a page.
//
// An [Extractor] turns a body into its visible [Text]: blocks, each with the region of the page it stands in.
// [Text.Sketch] reduces a text to a [Sketch], the few kilobytes that the index keeps for each distinct text. [Ranges]
// computes the validity ranges of a URI-R from its sketches in time order, at one of three levels. A [Site], which
// knows what repeats and what flickers on the pages of a host, helps it. [Compare] counts the terms that were added and
// deleted, [Similarity] says how alike two texts are. Package diff marks the words that differ; package tokenize says what
// a word is.
//
// A version that was once shown because words changed may only go by better evidence: what changed must be seen to change
// again, in other steps of the page, or on a site to do so on several pages. How often one step changes the same words,
// and on how many pages, is no evidence.
//
// Nothing here reads a WARC or an index: bodies come in decoded, sketches come from a [Source].
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package change
