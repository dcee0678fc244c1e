// Package rewrite points the URIs of an archived document into the archive while the document streams through. Every
// other byte stays as it is.
//
// The package knows no server and no index. Each rewriter ([HTML], [CSS], [JS], [JSON], [XML], [HLS], [DASH]) reads a
// window of the document and finds in it what a browser would take for a URI. It asks the [uses.Resolver] once, for all of
// them, what to write instead, and copies the rest. [Sniff] says which rewriter a body needs. Package header rewrites the
// HTTP header.
//
// The rewriters find URIs by the standards that browsers follow: HTML (WHATWG, with the attributes of HTML 4 and of
// older browsers), CSS Syntax 3, ECMA-262, RFC 8216 (HLS), ISO 23009-1 (DASH), RFC 8288 (Link). If the Resolver answers
// "" for everything, the output equals the input.
//
// Stability: for use by other programs; exported names change with notice in CHANGELOG.md only.
package rewrite
