package storetest

import (
	"testing"

	"github.com/varve-archive/varve/cdx/index/store"
)

func TestMemory(t *testing.T) {
	Run(t,
		func(*testing.T) store.Store { return NewMemory() },
		func(_ *testing.T, s store.Store) store.Store { return s.(*Memory).Clone() })
}

// A Faulty store without a fault is as good as the one below it.
func TestFaultyWithoutAFault(t *testing.T) {
	Run(t, func(*testing.T) store.Store { return NewFaulty(NewMemory()) }, nil)
}
