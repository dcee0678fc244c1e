// Package tokenize finds the words of a text and brings them into the form in which texts are compared and searched.
//
// A word is a segment of UAX #29 that contains a letter or a digit; an ideograph is a word by itself. [Terms] lists
// them with the positions where they begin and end. A [Segmenter] and a [Normalizer] do the same without allocating,
// for callers that read millions of words. Both take short cuts for common scripts; tests check these against the
// tables of Unicode.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package tokenize
