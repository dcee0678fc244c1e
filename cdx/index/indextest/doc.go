// Package indextest gives tests an index to work with, and counts what an index reads from its store.
package indextest
