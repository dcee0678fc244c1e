// Package change knows what changed between captures of a page.
//
// An [Extractor] turns a body into its visible [Text]: blocks with the region of the page they stand
// in. [Text.Sketch] reduces that to a [Sketch], the few kilobytes the index keeps for each distinct
// text. From the sketches of a URI-R, in time order, [Ranges] computes its validity ranges at one of
// three levels, with the help of a [Site], which knows what repeats and what flickers over the pages
// of a host. [Compare] counts the terms that came and went, [Similarity] says how alike two texts
// are. Package diff marks the words that differ, package word says what a word is.
//
// Nothing here reads a WARC or an index: bodies come in decoded, sketches come from a [Source].
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package change
