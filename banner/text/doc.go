// Package text is what varve's pages say, in every language that they speak, and how each of them writes
// numbers, dates and plurals.
//
// [Choose] finds a reader's language in a request's Accept-Language, [For] returns its [Language]: phrases in
// which {0}, {1} … are places for [Fill]. What a language lacks, the tests of this package name.
package text
