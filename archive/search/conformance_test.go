package search_test

import (
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/searchtest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	searchtest.Run(t, func(t *testing.T, set *fields.Set) searchtest.Engine {
		x := open(t, t.TempDir())
		x.SetFields(set)
		return &searchtest.Index{Index: x}
	})
}
