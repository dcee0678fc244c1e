package kvtest

import (
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
)

func TestMemory(t *testing.T) {
	Run(t,
		func(*testing.T) kv.Store { return NewMemory() },
		func(_ *testing.T, s kv.Store) kv.Store { return s.(*Memory).Clone() })
}

// A Faulty store without a fault is as good as the one below it.
func TestFaultyWithoutAFault(t *testing.T) {
	Run(t, func(*testing.T) kv.Store { return NewFaulty(NewMemory()) }, nil)
}
