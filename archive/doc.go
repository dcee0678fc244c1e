// Package archive answers questions about a collection's captures, without HTTP: the timeline of a URI-R and the
// versions in it, the capture nearest to a datetime, what a capture was answered with, the text it shows, where similar
// text stands, what became of an address that leads elsewhere.
//
// Start with [New] and [Archive.Timeline]; [Archive.Open] reads what a capture has. Every answer of the server, of the
// proxy and of the commands comes through an [Archive], so this is the one door that rules about access have to guard.
package archive
