// Package locale contains the texts of varve's pages in every language they are written in, and how each language writes
// numbers, dates and plurals.
//
// A language is a file in the folder messages. [Choose] finds a reader's language by a request's Accept-Language, and
// [For] returns its [Language]: phrases with the places {0}, {1} … for [Fill].
package locale
