// Package shards stores the searches of a shared index where all servers of the index find them. Each search, of one collection and one
// group of readers, is divided by hosts into a fixed number of shards.
//
// A shard consists of files in a [Place], under names that are used once; the index says which files are the current ones ([State]). A
// process that claims a shard builds it in a folder of its own machine, puts the new files and publishes the state; all others fetch the
// files that they lack. Files of a published state are never removed or changed.
//
// Start with [Open] and [Search]. The users of this package decide when to build, and under which access rules.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package shards
