// Package holdings lists what is in a collection: its addresses with their captures and versions, and those that are worth a look.
//
// Start with [New] and [Counts.Of]. Large collections are counted in the background ([Counts.Keep]), and the results are stored in a
// folder.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package holdings
