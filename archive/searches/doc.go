// Package searches has the searches of the collections of an archive: it opens them, builds them from the captures, keeps them up to date
// with index and access rules, and shares what one server has built with others. What a reader asks one of them is in package answers.
//
// Begin with [New], and [Searches.Of] for the search of a collection. It knows no HTTP; what is excluded is no part of what it builds.
package searches
