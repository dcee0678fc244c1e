// Package index finds captures by URI-R and time. It keeps ordered entries in a small key-value store, so that the usual question takes one
// seek. It also stores the files that the captures came from, the digests that resolve revisits, and the sketches of texts.
//
// Start with [New] on a store (varve ships package badger). [Writer] adds captures; [Index.Captures], [Index.Nearest] and [Index.Texts]
// answer questions; [Index.Follow] keeps up with other processes. keys.go documents the layout of the keys.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package index
