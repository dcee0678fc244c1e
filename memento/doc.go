// Package memento implements the Memento protocol (RFC 7089) as pure functions: datetime negotiation, Link headers
// (RFC 8288, with the version relations of RFC 5829) and TimeMaps (RFC 6690, JSON, CDXJ).
//
// It has neither a server nor an index, so it serves clients and archives alike. An archive starts with [URIs], which
// names its resources, [Preferred], which chooses among captures, [URIs.MementoLinks] and [WriteLink]. A client
// starts with [ParseLinks] and [ReadTimeMap].
//
// The terms are the RFC's: a URI-R is an original resource, a URI-M a memento of it, a URI-G its TimeGate and a URI-T
// its TimeMap.
//
// Stability: for use by other programs; exported names change with notice in CHANGELOG.md only.
package memento
