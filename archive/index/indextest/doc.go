// Package indextest opens indexes for tests and counts what an index reads from its store.
package indextest
