// Package locale contains the texts of varve's pages in every language they are written in, and how each language writes
// numbers, dates and plurals.
//
// [Choose] finds a reader's language by a request's Accept-Language, and [For] returns its [Language]: phrases with the
// places {0}, {1} … for [Fill]. The tests of this package report texts that a language lacks.
package locale
