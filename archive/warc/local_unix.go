//go:build unix

package warc

import "syscall"

// openFlags prevent Open from blocking, for example on a pipe that replaced a file.
const openFlags = syscall.O_NONBLOCK
