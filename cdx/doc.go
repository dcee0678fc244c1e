// Package cdx defines captures and lists them as the CDX files and servers of the wayback ecosystem do.
//
// A [Capture] is one archived record, identified by a URI-R and a [Timestamp]. Captures are sorted by SURT (package
// surt), then oldest first. Start with [ParseQuery] and [API], which answers CDX clients from any [Source].
// [ReadIndexFile] reads existing CDX, CDXJ and ZipNum files. Package index stores captures.
//
// Stability: for use by other programs; exported names change with notice in CHANGELOG.md only.
package cdx
