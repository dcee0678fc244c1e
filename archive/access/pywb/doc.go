// Package pywb reads the configuration of a pywb installation: its collections with their titles, indexes and files, and access rules. It
// writes nothing, and gives a reason for each setting that can't be taken over. Start with [Read].
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package pywb
