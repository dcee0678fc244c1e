// Package archive answers questions about the captures of a collection, without HTTP: the timeline and the versions
// of a URI-R, the capture nearest to a datetime, the archived response and its visible text.
//
// Start with [New] and [Archive.Timeline]; [Archive.Open] reads an archived response. The server, the proxy and the
// commands all read captures through an [Archive], so it is the one place where access rules have to be enforced.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package archive
