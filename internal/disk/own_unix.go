//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a file is of the user of this process.
func isOwn(info fs.FileInfo) bool {
	of, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(of.Uid) == os.Geteuid()
}
