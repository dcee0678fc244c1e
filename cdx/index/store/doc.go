// Package store says what an index needs of the key-value store under it. It is this small so that another engine can
// take the place of the embedded one; package storetest holds the suite that each engine passes.
package store
