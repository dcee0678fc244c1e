// Package tikv keeps an index in a TiKV cluster, an ordered store that is spread over any number of machines (https://tikv.org).
// Any number of processes on any number of machines may use it at the same time. Its client makes a program a third larger, so
// cmd/varve has it with the build tag tikv only.
//
// # Keys
//
// Keys of the index go under varve/NAME/, so a cluster may hold several indexes, and what others keep in it. TiKV takes keys of up to
// four KiB (storage.max-key-size), encoded; the index has some of up to 60,100 bytes. A longer one stands on several levels, like a
// word in a trie: each level has the next [levelLen] bytes, and a mark that there is more below them. So the order stays that of
// the whole keys.
//
// # Time
//
// A snapshot is a timestamp of the cluster's. To ask for one is a round trip, so a snapshot may be as old as [staleness], but never
// older than what this process has written.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package tikv
