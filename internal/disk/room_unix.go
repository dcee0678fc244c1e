//go:build linux || darwin || freebsd

package disk

import "syscall"

// roomIn returns how many more bytes files in dir may take.
func roomIn(dir string) uint64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return unknownRoom
	}
	return uint64(fs.Bavail) * uint64(fs.Bsize)
}
