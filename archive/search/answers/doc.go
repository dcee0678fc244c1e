// Package answers answers what readers ask the search of a collection: which pages match a query best, which terms were deleted most
// often, how to go on with what somebody is typing, and what to type instead.
//
// Start with [New] and [Collection.Pages]. The index knows words and their places (package search). This package knows what they mean: the
// forms of words, synonyms, what may be missing and what must be there.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package answers
