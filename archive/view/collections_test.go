package view_test

import (
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/view"
)

func TestCollectionsWithOneThatMayComeToBe(t *testing.T) {
	t.Parallel()
	v := &view.View{Whole: indextest.Open(t, t.TempDir())}
	if got := v.CollectionsWith("news"); !slices.Equal(got, []string{"news"}) {
		t.Errorf("of an empty index: %q", got)
	}
}
