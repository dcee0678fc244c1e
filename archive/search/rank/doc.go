// Package rank orders the pages that a search finds.
//
// The score of a page is BM25 over its fields (BM25F). Occurrences in text, title and address count with the weights of these fields; rare
// words count more than common ones, and words in short texts more than in long ones. Single words can have weights too. Formulas over
// facts and template fields multiply the score or are added to it.
//
// [Settings] are the configuration; [New] checks them and returns a [Ranking], which prepares queries ([Ranking.Prepare]: stop words,
// synonyms) and rates pages ([Ranking.Score]).
//
// Formulas are in the language of github.com/expr-lang/expr.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package rank
