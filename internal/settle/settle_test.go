package settle

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// The clock is that of the test: nothing waits for real.
func TestWorkWaitsUntilNothingChanges(t *testing.T) {
	for _, tt := range []struct {
		name   string
		epoch  func(second int) uint64
		wanted func(second int) bool
		want   []int // seconds of the work
	}{
		{"nothing changes", func(int) uint64 { return 1 }, func(int) bool { return false }, []int{0}},
		{"one change", func(s int) uint64 { return uint64(min(s/10, 1)) + 1 }, func(int) bool { return false }, []int{0, 12}},
		{"changes for a while", func(s int) uint64 { return uint64(min(s, 20)) + 1 }, func(int) bool { return false }, []int{0, 22}},
		{"changes for ever", func(s int) uint64 { return uint64(s) + 1 }, func(int) bool { return false }, []int{0, 61, 122}},
		{"wanted", func(int) uint64 { return 1 }, func(s int) bool { return s == 30 }, []int{0, 30}},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			second := func() int { return int(time.Since(began) / time.Second) }
			ctx, cancel := context.WithTimeout(t.Context(), 130*time.Second+time.Millisecond)
			defer cancel()
			var got []int
			When(ctx, func() uint64 { return tt.epoch(second()) }, func() bool { return tt.wanted(second()) },
				func() { got = append(got, second()) })
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s: at %v, want %v", tt.name, got, tt.want)
			}
		})
	}
}
