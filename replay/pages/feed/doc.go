// Package feed has the handlers for recent changes: /{coll}/feed, an Atom feed with one entry for each version, and /{coll}/monitor, the
// changes since a datetime, most important first, as a page or JSON.
//
// Versions come from package latest, or from the search if there is a query. Only the diffs in a feed read records, under the access
// rules.
package feed
