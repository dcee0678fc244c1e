// Package pages shows what an archive knows: calendars, lists, diffs, landing pages, searches and errors. People get
// pages and programs get JSON at the same addresses. Start with [New].
//
// Stability: a part of package replay, not meant for other programs.
package pages
