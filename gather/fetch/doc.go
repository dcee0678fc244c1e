// Package fetch copies mementos from other archives. It needs nothing from them but Memento (RFC 7089): it lists mementos by
// TimeMaps, and requests each as it was captured, without the archive's changes for readers.
//
// The mementos are written as WARC records of the original resource: the URI-R, the datetime of the capture, and the head and body
// that the crawler received. The URI-M is kept as WARC-Source-URI, and the head of the other archive's answer as a metadata record.
// The files are the only state: what they contain isn't requested again, so that an interrupted fetch can continue.
package fetch
