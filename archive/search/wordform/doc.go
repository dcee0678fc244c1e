// Package wordform knows which words are forms of one another: "floods" and "flooding", "Müller", "Muller" and "Mueller", "l’eau" and
// "eau".
//
// A [Folder] reduces a word to keys: what is left of it without accents, width and other marks, and its stem in each of some languages
// (bleve's analyzers, most of them Snowball's stemmers). Words that share a key are forms of one another. An [Index] finds those of a
// vocabulary.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package wordform
