// Package index finds captures by URI-R and time: ordered entries on a small key-value store, so that the usual
// question is one seek. Beside the captures it keeps the stored files they came from, the digests that revisits are
// resolved by, and the sketches of their texts.
//
// Start with [New] on a store (package badger has the one that varve ships); [Writer] adds captures, [Index.Captures],
// [Index.Nearest] and [Index.Text] answer, [Index.Follow] keeps up with other processes. keys.go documents the layout of
// the keys.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package index
