// Package shards keeps the searches of a shared index where all servers of that index find them. Each search, of one collection
// and one group of readers, is divided by hosts into as many shards as the index says.
//
// What a shard is made of are files in a [Place], under names that are used once; the index says which of them are the shard
// now ([State]). Whoever claims a shard builds it in a folder of its own machine, puts the new files and publishes the state, all
// others fetch what they lack. Nothing that a published state names is removed or changed.
//
// Start reading at [Open] and [Search]. When to build, and under which access rules, is decided by those who use it.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package shards
