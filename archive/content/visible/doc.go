// Package visible reads what a page shows.
//
// An [Extractor] turns a body into its visible [Text]: blocks, each with the [Region] of the page it stands in, found as
// zone.go says. [Links] reads the links. [Normal] is the form in which words are compared.
//
// Bodies come in decoded; nothing here reads an archive.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package visible
