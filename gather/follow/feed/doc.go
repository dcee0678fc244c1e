// Package feed reads documents that say what is new elsewhere: RSS 0.9x to 2.0, Atom and JSON Feed, pages of last-updated sites, and the
// changes.xml and sitemaps of those who have no such page.
//
// What it reads comes from anybody: all of it is bounded, and what can't be read ends in an error that says what is wrong, for people.
package feed
