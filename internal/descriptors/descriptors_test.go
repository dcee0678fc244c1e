package descriptors_test

import (
	"testing"

	"github.com/varve-archive/varve/internal/descriptors"
)

func TestShare(t *testing.T) {
	limit := descriptors.Limit()
	if limit < 16 {
		t.Fatalf("a process that may open %d files could not run this test", limit)
	}
	for _, c := range []struct{ parts, most, want int }{
		{1, 10, 10},
		{1, 1 << 40, limit},
		{2, 1 << 40, limit / 2},
		{1 << 30, 100, 8},
		{1, 0, 8},
	} {
		if got := descriptors.Share(c.parts, c.most); got != c.want {
			t.Errorf("one in %d, at most %d, of %d: %d, want %d", c.parts, c.most, limit, got, c.want)
		}
	}
}
