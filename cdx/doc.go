// Package cdx says what a capture is and lists captures as the CDX files and servers of the wayback ecosystem do.
//
// A [Capture] is one archived record, addressed by a URI-R and a [Timestamp]. Captures sort under a SURT (package
// surt), oldest first. Start with [ParseQuery] and [API], which answers the queries of CDX clients from any
// [Source]; the lines of existing CDX, CDXJ and ZipNum files are read by [ReadIndexFile]. Package index keeps captures.
//
// Stability: for use by other programs; exported names change with notice in CHANGELOG.md only.
package cdx
