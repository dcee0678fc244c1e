// Package answers answers readers' questions about a collection: which pages match a query best, which terms were deleted most often, and
// how a query may be completed or corrected.
//
// Start with [New] and [Collection.Pages]. Package search finds words and their positions. This package adds what they mean: forms of
// words, synonyms, and which clauses are optional.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package answers
