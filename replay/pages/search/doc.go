// Package search answers what is typed into the box: it tells addresses from words, completes what is being typed, and
// searches the texts of all versions, and what changed between them. People get pages and programs get JSON at the same
// addresses. Start with [New].
//
// Stability: a part of package replay, not meant for other programs.
package search
