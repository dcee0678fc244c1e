//go:build unix

package write

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock locks a file until it is closed, and reports whether it could. On file systems without locks it reports true.
func lock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != unix.EWOULDBLOCK
}

// unlock gives a file up, even while a process that is just being started has its descriptor too.
func unlock(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) }
