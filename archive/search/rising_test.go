package search

import (
	"testing"

	"github.com/varve-archive/varve/cdx"
)

func TestWindowsBefore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		since, until cdx.Timestamp
		windows      int
		want         cdx.Timestamp
	}{
		{20160108000000, 20160115000000, 1, 20160101000000},
		{20160302000000, 20160303000000, 2, 20160229000000},
		{20160101000000, 20160101000000, 8, 20160101000000},
		{20000101000000, 99991231235959, 8, 0},
		{20000101000000, 20160101000000, 1, 19840101000000},
	} {
		if got := windowsBefore(tt.since, tt.until, tt.windows); got != tt.want {
			t.Errorf("%d windows as from %s to %s: %s, want %s", tt.windows, tt.since, tt.until, got, tt.want)
		}
	}
}

func TestThePastOfWhatRises(t *testing.T) {
	t.Parallel()
	r := RisingRequest{Windows: 2}
	r.Since, r.Until = 20160302000000, 20160303000000
	if got := r.Past(); got.Since != 20160229000000 || got.Until != r.Since-1 || r.Since != 20160302000000 {
		t.Errorf("%+v, of %+v", got, r.Bounds)
	}
}
