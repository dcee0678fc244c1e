// Package search answers the questions "when did this sentence disappear?" and "which pages ever said this?".
//
// A [Query] is a list of phrases; [Parse] reads what a person typed. An [Index] holds for each page the words of all its versions (validity
// ranges at level text) and their history (package history), in which everything can be counted. [Index.Update] brings it up to date with
// an [Archive]. [Index.Search] finds the changes that deleted, partly deleted or added a term or phrase, [Index.Present] the pages that had
// it in any version, and [Index.Terms] counts the deleted and added terms of a whole collection. Words are those of [tokenize.Terms]: UAX
// #29 words in lower case and NFC.
//
// The inverted index is bleve's (scorch). field.go describes the fields of a document and what their postings mean.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package search
