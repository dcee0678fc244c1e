// Package kv defines the ordered key-value store that an index needs. It is small, so that another engine can replace the embedded one
// without any change above. Package badger keeps a store in a folder of one machine; package kvtest has one in memory, and the suite that
// every engine must pass.
//
// # Reading
//
// All reads happen in a [Store.View], on a snapshot, under that view's context: when the context ends, reads fail with its error. When a
// [Cursor] stops, its Err says why, as with [bufio.Scanner]; only nil means that there are no more keys. An engine on another machine pays
// for round trips. So [Snapshot.GetMany] reads many keys at once, and a [Range] says in advance how far a cursor may go and whether values
// are needed, which lets the engine fetch whole pages and read ahead. A caller that knows all its reads in advance can announce them by
// Prefetch, and then waits for one round trip.
//
// # Writing
//
// There are two ways to write, and each key is written in one of them only. A [Batch] is for bulk: it is fast, and its writes become
// visible bit by bit. A [Store.Update] is for the few keys that decide what is shown: it reads and writes them atomically, even if others
// write at the same time. So an engine need not detect conflicts between the two.
//
// # Several processes
//
// A store that several processes write to implements [Shared]. What they must agree on is in the store only: Update assigns numbers, takes
// leases and sets marks, and Watch reports what others did. A Badger store belongs to one process, so it has no Watch.
//
// What only some engines can do is a separate interface, found by type assertion: [Compactor], [Verifier].
//
// Stability: for use by other programs; exported names change with notice in CHANGELOG.md only.
package kv
