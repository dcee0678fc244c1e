// Package feed has the handlers that tell what changed lately: /{coll}/feed, an Atom feed with one entry a version, and /{coll}/monitor,
// the same since a datetime, most important first, as a page or JSON.
//
// Which versions there are is package latest's to say, and for a query the search's. Only the diffs in a feed read records, under the
// access rules, as everything does.
package feed
