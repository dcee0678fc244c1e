// Package search answers the question "when did this sentence disappear?". It finds the changes of pages that
// deleted, partly deleted or added a term or a phrase.
//
// A [Query] consists of phrases of one or more words; [Parse] reads what a person typed. An [Index] holds what was
// deleted and added in each change from one version of a page to the next (validity ranges at level text).
// [Index.Update] brings it up to date with an [Archive], [Index.Search] answers queries, and [Index.Terms] counts the
// deleted and added terms of a whole collection. Words are those of [word.Terms]: UAX #29 words in lower case and
// NFC.
//
// The inverted index is bleve's (scorch). See field.go for the fields of a document and what their postings mean.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package search
