// Package hashing has the hashes by which texts are compared: of numbers, of runs of words, and sets of them.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package hashing
