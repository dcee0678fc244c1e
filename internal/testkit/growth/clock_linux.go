package growth

import (
	"time"

	"golang.org/x/sys/unix"
)

// worked returns the CPU time of this thread, so that other threads and processes don't count.
func worked() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
