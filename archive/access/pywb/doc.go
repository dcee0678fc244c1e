// Package pywb reads how a pywb installation is set up: its collections, where their indexes and files are, what they are
// called, and who may see what. It writes nothing, and says of each thing that can't be taken over why. Begin with [Read].
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package pywb
