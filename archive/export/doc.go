// Package export writes captures of an archive for other programs: as WARC, as WACZ, as index lines (CDXJ), or as the versions of pages
// with their texts (JSONL). Start with [Select], which selects captures, and one of the four methods of [Job].
//
// All formats are streamed. What the archive's access rules hide is not written. A damaged record is reported and left out.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package export
