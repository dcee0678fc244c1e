package growth

import (
	"time"

	"golang.org/x/sys/unix"
)

// worked returns how long this thread has worked. What other threads and processes do meanwhile doesn't count.
func worked() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
