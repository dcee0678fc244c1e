// Package disk checks the free space of a disk before writes that must not fail halfway, writes cache files completely, renames files
// without replacing others, and creates temporary folders that are removed even after a kill.
package disk

import (
	"fmt"
	"math"

	"github.com/varve-archive/varve/internal/sentinel"
)

// ErrFull is wrapped by errors of writing when the disk of the index has too little room left.
//
// The room must be checked before writing: Badger maps its files into memory, and writing to a page for which a full disk has no room kills
// the process.
const ErrFull = sentinel.Error("the disk is full")

// CheckRoom returns an error that wraps [ErrFull] unless files in dir may take need more bytes. It returns nil if the system doesn't tell,
// and for dir "", which means memory.
func CheckRoom(dir string, need uint64) error {
	if dir == "" {
		return nil
	}
	if left := roomIn(dir); left < need {
		return fmt.Errorf("%w: %d MB are left in %s, it takes %d MB", ErrFull, left>>20, dir, need>>20)
	}
	return nil
}

// unknownRoom is the room if it is unknown.
const unknownRoom = math.MaxUint64
