// Package holdings says what is in a collection: its addresses with their captures and versions, and what is worth a look among them.
//
// Start with [New] and [Counts.Of]. Large collections are counted behind requests ([Counts.Keep]), and what was counted outlives the
// process in a folder.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package holdings
