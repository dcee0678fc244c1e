//go:build unix

package write

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock locks a file until it is closed, and reports whether nobody else has. Some file systems have no locks: there the
// answer is yes.
func lock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != unix.EWOULDBLOCK
}
