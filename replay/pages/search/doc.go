// Package search handles the text in the box: it distinguishes addresses from words, completes queries, and searches the texts of all
// versions and the changes between them. People get pages and programs get JSON at the same addresses. Start with [New].
//
// Stability: a part of package replay, not meant for other programs.
package search
