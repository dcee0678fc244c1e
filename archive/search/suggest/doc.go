// Package suggest proposes words while somebody types, and instead of words that a collection doesn't have.
//
// [New] makes [Words], a collection's vocabulary in memory, from its words in order, each with the number of documents
// that have it. [Words.Complete] returns words that begin so, [Words.Near] those with one or two letters wrong, and
// [Words.Correct] puts words that there are in place of others in a query. [Source.Finish] is what a search box asks:
// it goes on with what is typed, letters wrong in the beginnings of words included ([Words.Begin]), with synonyms and
// with a dictionary of one's own. Letters are Unicode code points; two that are swapped are one letter wrong.
//
// The automata that recognize near words are vellum's. They are run over the sorted words as if these were a trie.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package suggest
