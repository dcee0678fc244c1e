// Package rank decides which of the found pages come first.
//
// A page's score is BM25 over its fields (BM25F): what a clause of the query has in the text, the title and the address
// counts by the weight of the field, rare words count more than common ones, and words in short texts more than in long
// ones. Words have weights of their own; formulas over facts and
// fields of the page multiply the score, or are added to it.
//
// [Settings] are what somebody who runs an archive writes down; [New] checks them and returns a [Ranking], which
// prepares queries ([Ranking.Prepare]: stop words, synonyms) and rates pages ([Ranking.Score]).
//
// Formulas are those of github.com/expr-lang/expr, over facts of a version and fields of templates.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package rank
