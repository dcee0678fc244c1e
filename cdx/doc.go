// Package cdx is varve's floor: what a capture is, the key it sorts under, and the index that finds it.
//
// A [Capture] is one archived record, addressed by a URI-R and a [Timestamp]. Captures sort under a
// SURT ([Key]), oldest first, as in the CDX files of the wayback ecosystem. Start with [Key] and
// [Open]; the CDX server API is [Query] and its handler. The package imports nothing else of varve.
package cdx
