// Package disk tells whether a disk has room left, before something is written that must not fail half-way.
package disk

import (
	"errors"
	"fmt"
	"math"
)

// ErrFull is wrapped by the errors of writing where the disk of the index has too little room left.
//
// It has to be asked for beforehand: Badger maps its files into memory, and writing to a page that a full disk
// can't hold ends the process.
var ErrFull = errors.New("the disk is full")

// CheckRoom returns an error that wraps [ErrFull] unless there are so many bytes left for files in dir. Where the system doesn't
// tell there are enough; so there are in memory, dir "".
func CheckRoom(dir string, need uint64) error {
	if dir == "" {
		return nil
	}
	if left := roomIn(dir); left < need {
		return fmt.Errorf("%w: %d MB are left in %s, it takes %d MB", ErrFull, left>>20, dir, need>>20)
	}
	return nil
}

// unlimited is the room where nobody tells how much there is.
const unlimited = math.MaxUint64
