// Package suggest completes and corrects words while somebody types a query.
//
// [New] makes [Words], the vocabulary of a collection in memory, from sorted words with the number of documents that have each.
// [Words.Complete] returns words with a prefix, [Words.Near] words with one or two letters wrong, and [Words.Correct] replaces the unknown
// words of a query by known ones. [Source.Finish] is for a search box: it completes what is typed, even if the beginning has wrong letters
// ([Words.Begin]), with synonyms, and with a dictionary of the archive's own. Letters are Unicode code points; two swapped letters count as
// one wrong letter.
//
// vellum's Levenshtein automata recognize near words. They are run over the sorted words as over a trie.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package suggest
