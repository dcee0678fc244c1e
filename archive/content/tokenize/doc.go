// Package tokenize finds the words of a text and normalizes them for comparison and search.
//
// A word is a segment of UAX #29 that contains a letter or a digit; an ideograph is a word by itself. [Terms] lists them with their
// positions. A [Segmenter] and a [Normalizer] do the same without allocating, for callers that read millions of words.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package tokenize
