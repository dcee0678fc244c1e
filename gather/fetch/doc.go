// Package fetch brings mementos of other archives home. It knows nothing about these archives but Memento (RFC 7089): their TimeMaps
// say which mementos there are, and each is asked for as it was captured, without what the archive put into it for its readers.
//
// What comes is written as WARC records of the original resource: the URI-R and the datetime of the capture, the head and the body that
// the crawler got. The URI-M is kept as WARC-Source-URI, and what the other archive answered with as a metadata record. The files are the
// only memory: what stands in them is not asked for again, so that a fetch which was stopped goes on where it was.
package fetch
