// Package export writes captures of an archive for other programs: as WARC, as WACZ, as index lines (CDXJ), or as the
// versions of pages with their texts (JSONL). Begin with [Select], which says what, and one of the four functions of
// [Job].
//
// Everything is streamed. What readers may not see under the archive's access rules is not written. A record that is
// damaged is reported and left out; the rest is written.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package export
