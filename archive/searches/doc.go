// Package searches manages the searches of the collections of an archive: it opens them, builds them from the captures, keeps them up to
// date with index and access rules, and shares what one server has built with others. Package answers answers readers' questions from them.
//
// Start with [New], and [Searches.Of] for the search of a collection. The package knows no HTTP. Excluded captures are left out when a
// search is built.
package searches
