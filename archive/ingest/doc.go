// Package ingest indexes stored files in one pass. It connects the packages warc (records), change (their texts) and archive/index. Start
// with [Run]; [Watch] keeps running.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package ingest
