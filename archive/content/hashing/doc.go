// Package hashing has the hashes for comparing texts: of numbers and of runs of words, and sets of hashes.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package hashing
