// Package surt computes the keys by which captures are sorted: SURTs, the "sort-friendly URI reordering transform" of
// the Internet Archive, as in the CDX files of the wayback ecosystem.
//
// [Of] returns the key of a URI, [OfRequest] that of a request with a body, [Range] the range of keys that a query
// means, [URLKey] the key that CDX lines show. The package imports nothing else of varve. docs/surt.md lists the keys of
// unusual forms, with the reason for each.
//
// Stability: for use by other programs; exported names change with notice in CHANGELOG.md only.
package surt
