// Package page shows what an archive knows: calendars, lists, diffs, landing pages, searches and errors, as pages for
// people and, at the same addresses, as JSON for programs. Start with [New].
//
// Stability: a part of package replay, not meant for other programs.
package page
