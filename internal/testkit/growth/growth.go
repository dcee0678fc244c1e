// Package growth tests that the time and the memory of some work grow no faster than its input. It compares two sizes in
// one run and asserts no absolute time: on sixteen times the input the work may take six times as long as linear work
// would, and as much memory. Quadratic work always takes more.
package growth

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

const (
	enough  = 300 * time.Microsecond // the least work on the smaller input, so that it can be measured
	factor  = 16                     // between the two sizes
	allowed = 6 * factor             // n log n, caches and noise; quadratic work takes factor²
	tries   = 4                      // the fastest counts
	rounds  = 12                     // of tries, each after a rest: a busy machine interrupts long work rather than short work
	rest    = 20 * time.Millisecond  // before the second round; it grows with each
	biggest = 1 << 17                // beyond this size the memory is measured instead of the time
)

// Linear fails if the work on input(16n) takes much more than sixteen times as long as that on input(n). It chooses n.
// An input is anything that contains n of something.
func Linear[T any](t *testing.T, name string, input func(n int) T, work func(T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		if testing.Short() {
			t.Skip("measuring growth takes its time: the long form of the tests does it")
		}
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		n, ratio := compare(worked, input, work)
		if ratio > allowed {
			t.Errorf("%d times of %d take %.0f times as long", factor, n, ratio)
		}
		if ratio := memory(n, input, work); ratio > allowed {
			t.Errorf("%d times of %d take %.0f times as much memory", factor, n, ratio)
		}
	})
}

// compare chooses n and returns the ratio of the times for input(16n) and input(n). It repeats the measurement while the ratio is too high.
func compare[T any](clock func() time.Duration, input func(n int) T, work func(T)) (n int, ratio float64) {
	n, small := 64, time.Duration(0)
	for ; n < biggest; n *= 2 {
		if small = quickest(clock, 2, input(n), work); small >= enough {
			break
		}
	}
	large, least := input(factor*n), time.Duration(1<<63-1)
	defer quiet()()
	for round := range rounds {
		time.Sleep(time.Duration(round) * rest)
		small = min(small, quickest(clock, tries, input(n), work))
		runtime.GC()
		least = min(least, quickest(clock, 1, large, work))
		if n >= biggest { // the work takes no time, whatever the input
			small = max(small, enough)
		}
		if ratio = float64(least) / float64(small); ratio <= allowed {
			break
		}
	}
	return n, ratio
}

// memoryLimit is how much memory the work may use before the collector runs by itself.
const memoryLimit = 2 << 30

// quiet disables the garbage collector until again is called, so that no memory is returned to the system: getting it back can cost long
// work more than the work itself, and short work nothing.
func quiet() (again func()) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(memoryLimit)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// little is the least memory that is assumed for the smaller input; otherwise one-time allocations would count as growth.
const little = 64 << 10

// memory returns the ratio of the memory allocated for input(16n) and input(n), freed or not. It repeats the measurement while the ratio is
// too high.
func memory[T any](n int, input func(n int) T, work func(T)) (ratio float64) {
	small, large := input(n), input(factor*n)
	for range tries {
		ratio = float64(allocated(func() { work(large) })) / float64(max(little, allocated(func() { work(small) })))
		if ratio <= allowed {
			break
		}
	}
	return ratio
}

// allocated returns the bytes that work allocates with every sync.Pool empty: one input must not use a buffer that the other has to make.
func allocated(work func()) uint64 {
	runtime.GC() // the pools' buffers become the victims of the next one
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// quickest returns the shortest time of several runs.
func quickest[T any](clock func() time.Duration, runs int, in T, work func(T)) time.Duration {
	least := time.Duration(1<<63 - 1)
	for range runs {
		began := clock()
		work(in)
		least = min(least, clock()-began)
	}
	return max(least, 1)
}
