// Package memento is the Memento protocol (RFC 7089) as pure functions: datetime negotiation, Link
// headers (RFC 8288, with RFC 5829's version relations) and TimeMaps (RFC 6690, JSON, CDXJ).
//
// It holds no server and no index, so it serves clients and archives alike. An archive starts with
// [URIs], which names its resources, [Preferred], which chooses among captures, [URIs.MementoLinks]
// and [WriteLink]; a client with [ParseLinks] and [ReadTimeMap].
//
// The words are the RFC's: URI-R is an original resource, URI-M a memento of it, URI-G its TimeGate
// and URI-T its TimeMap.
package memento
