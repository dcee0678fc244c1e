// Package inspect serves the page on which a reader chooses an element of an archived page, gets a selector for it, and sees its value in
// all versions; and the same as JSON and CSV.
//
// [Handler.Page] reads the request (ask.go), makes the selector (chosen.go), reads the versions (rows.go) and writes them (page.go,
// data.go). The frame with the archived page is served by replay/engine.
//
// Stability: not for other programs.
package inspect
