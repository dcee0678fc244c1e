//go:build unix

package warc

import "syscall"

// openFlags keep Open from waiting, for example for the other end of a pipe that was put in a file's place.
const openFlags = syscall.O_NONBLOCK
