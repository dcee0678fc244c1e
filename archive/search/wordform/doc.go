// Package wordform knows which words are forms of one another: "floods" and "flooding", "Müller", "Muller" and "Mueller", "l’eau" and
// "eau".
//
// A [Folder] reduces a word to keys: the word without accents, width and other marks, and its stem in each of several languages (by bleve's
// analyzers, most of them Snowball stemmers). Words that share a key are forms of one another. An [Index] finds the forms in a vocabulary.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package wordform
