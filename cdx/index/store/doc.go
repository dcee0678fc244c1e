// Package store says what an index needs of the ordered key-value store under it. It is this small so that another
// engine can take the place of the embedded one, and nothing above knows which one it is: package badger keeps a store
// in a folder of one machine, package storetest in memory, with the suite that every engine has to pass.
//
// # Reading
//
// All reading happens in a [Store.View], on a snapshot, under the context of that view: when the context ends, reads
// fail with its error. A [Cursor] that stops says why with Err, as [bufio.Scanner] does: nil means that there are no more
// keys, and nothing else does. An engine on another machine pays for round trips, so [Snapshot.GetMany] reads many keys
// at once, and a [Range] tells beforehand how far a cursor may go and whether values are wanted: the engine can fetch by
// the page, and read ahead.
//
// # Writing
//
// There are two ways to write, and a key is written by one of them only. A [Batch] is for bulk: it is fast, and what is
// in it becomes visible bit by bit. A [Store.Update] is for the few keys that decide what counts: it reads and writes
// them at one moment, whoever else writes. So an engine need not watch for conflicts between the two.
//
// # Several processes
//
// A store that several processes write to implements [Shared]. What they have to agree on is in the store and nowhere
// else: numbers are given, leases taken and marks set by Update, and Watch tells what the others did. Badger's belongs
// to one process, which has nobody to watch.
//
// What only some engines can do is an interface of its own, found by assertion: [Compactor].
//
// Stability: for use by other programs; exported names change with notice in CHANGELOG.md only.
package store
