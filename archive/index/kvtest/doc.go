// Package kvtest tests the engines below an index. [Run] is the suite that every engine must pass; call it from a
// test in the engine's own package. [Memory] is the simplest store that passes it; any number of indexes may share one.
// [Faulty] makes any store fail at a chosen moment.
package kvtest
