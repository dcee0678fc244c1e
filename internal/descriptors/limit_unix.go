//go:build unix

package descriptors

import (
	"math"

	"golang.org/x/sys/unix"
)

// Limit returns how many descriptors this process may have open (RLIMIT_NOFILE).
func Limit() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return defaultLimit
	}
	return int(min(uint64(limit.Cur), math.MaxInt32)) // the field is signed on some systems
}
