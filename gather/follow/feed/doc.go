// Package feed reads documents that list what is new: RSS 0.9x to 2.0, Atom and JSON Feed, pages of last-updated sites,
// changes.xml, and sitemaps.
//
// The documents come from anybody, so everything is bounded. The errors are messages for people.
package feed
