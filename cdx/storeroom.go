package cdx

import (
	"errors"
	"fmt"
	"math"
)

// ErrDiskFull is wrapped by the errors of writing where the disk of the index has too little room left.
//
// It has to be asked for beforehand: Badger maps its files into memory, and writing to a page that a full disk
// can't hold ends the process.
var ErrDiskFull = errors.New("cdx: the disk of the index is full")

const (
	roomToOpen  = 1 << 20          // a new log's first page, and the lists of files
	roomToWrite = 3 * memTableSize // a log, the table it becomes, and tables being merged
	writesAside = 1 << 20          // bytes written between two looks at the disk
)

// CheckRoom returns an error that wraps [ErrDiskFull] unless there are so many bytes left for files in dir. Where the system doesn't
// tell there are enough; so there are in memory, dir "".
func CheckRoom(dir string, need uint64) error {
	if dir == "" {
		return nil
	}
	if left := roomIn(dir); left < need {
		return fmt.Errorf("%w: %d MB are left in %s, it takes %d MB", ErrDiskFull, left>>20, dir, need>>20)
	}
	return nil
}

// unlimited is the room where nobody tells how much there is.
const unlimited = math.MaxUint64
