package upload

import (
	"sync/atomic"
	"testing"
)

// How far a file is, and that a list of problems ends.
func TestProgress(t *testing.T) {
	var done, total, captures atomic.Int64
	done.Store(3)
	captures.Store(9)
	for _, tt := range []struct {
		state             State
		size, part, total int64
		percent           int
	}{
		{Receiving, 200, 50, 0, 25},
		{Receiving, 200, 300, 0, 100}, // more than was said
		{Receiving, 0, 50, 0, 0},      // of unknown size
		{Waiting, 200, 50, 0, 0},
		{Checking, 200, 150, 0, 75},
		{AtIndex, 200, 50, 0, 0},
		{AtIndex, 200, 50, 4, 75},
		{Done, 200, 50, 4, 100},
	} {
		f := &File{status: Status{State: tt.state, Size: tt.size}}
		f.received.Store(tt.part)
		f.checked.Store(tt.part)
		if total.Store(tt.total); tt.total > 0 {
			f.began(&done, &total, &captures)
		}
		if got := f.Status(); got.Percent != tt.percent || (got.Captures == 9) != (tt.total > 0) {
			t.Errorf("%+v: %+v", tt, got)
		}
	}
	f := new(File)
	for range 21 {
		f.report(Problem{})
	}
	if got := f.Status(); got.Damaged != 21 || len(got.Problems) != 20 {
		t.Errorf("%d of %d problems are listed", len(got.Problems), got.Damaged)
	}
}
