// Package search answers "when did this sentence disappear?": which changes of which pages deleted, added or partly
// deleted a term or a phrase.
//
// A [Query] is phrases of one or more words; [Parse] reads what a person typed. An [Index] holds, for each change from
// one version of a page to the next (validity ranges at level text), what was deleted and added in it; [Index.Update]
// keeps it in step with an [Archive], [Index.Search] asks it, [Index.Terms] counts what goes and comes over a whole
// collection. Words are those of [change.Terms]: UAX #29 words in lower case and NFC.
//
// The inverted index is bleve's (scorch); which words go into it, and what their postings mean, is said in document.go.
package search
