// Package ingest takes stored files in and puts index entries out, in one pass: it joins warc (the
// records), change (what their text says) and cdx (the index). Start with [Run]; [Watch] keeps on.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package ingest
