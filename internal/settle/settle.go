// Package settle runs work when the things that it depends on have stopped changing.
package settle

import (
	"context"
	"time"

	"github.com/varve-archive/varve/internal/sleep"
)

// When checks every stillLook whether something has changed, and works after stillLooks checks without a change, so that it does not start
// again with each of many new files. If changes never stop, it works once every stillLatest.
const (
	stillLook   = time.Second
	stillLooks  = 2
	stillLatest = time.Minute
)

// When calls do at once, and again whenever the epoch has changed, or wanted returns true, and the epoch is stable again, until ctx ends.
func When(ctx context.Context, epoch func() uint64, wanted func() bool, do func()) {
	done, last, still, since := uint64(0), epoch(), stillLooks, time.Now()
	for first := true; ; first = false {
		if g := epoch(); g != last {
			last, still = g, 0
		} else {
			still++
		}
		if (first || last != done || wanted()) && (still >= stillLooks || time.Since(since) > stillLatest) {
			do()
			done, since = last, time.Now()
		}
		if sleep.For(ctx, stillLook) != nil {
			return
		}
	}
}
