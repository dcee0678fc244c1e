// Package surt makes the keys that captures sort under: SURTs, the "sort-friendly URI reordering transform" of the
// Internet Archive, as the CDX files of the wayback ecosystem have them.
//
// [Of] gives the key of a URI, [OfRequest] that of a request with a body, [Range] the stretch of keys that a query asks
// for. The package imports nothing else of varve. docs/surt.md lists the keys of unusual forms, with the reason for each.
//
// Stability: for use by other programs; exported names change with notice in CHANGELOG.md only.
package surt
