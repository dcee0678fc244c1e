// Package rewrite points the URIs of an archived document into the archive, byte by byte otherwise
// unchanged, while the document streams through.
//
// It knows no server and no index. Each rewriter ([HTML], [CSS], [JS], [JSON], [XML], [HLS], [DASH])
// reads a window of the document, finds in it what a browser would take for a URI, asks the [Resolver]
// once for all of them what to write instead, and copies the rest. [Sniff] says which rewriter a body
// wants, [Header] does for the HTTP header what the others do for the body.
//
// What is found follows the standards a browser follows: HTML (WHATWG, with the attributes of HTML 4 and
// of older browsers), CSS Syntax 3, ECMA-262, RFC 8216 (HLS), ISO 23009-1 (DASH), RFC 8288 (Link).
// With a Resolver that answers "" for everything the output is the input.
//
// Stability: for use by other programs; exported names change with notice in CHANGELOG.md only.
package rewrite
